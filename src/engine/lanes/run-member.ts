import { setTimeout as sleep } from 'node:timers/promises';
import { FencedError } from '../../log/errors.ts';
import type { LaneLease, LogConsumer } from '../../log/port.ts';
import { pause } from '../../platform/retry/poll.ts';
import { untilSharedMoment } from '../../platform/retry/shared-moment.ts';
import { RangeLostError } from '../sink/fence.ts';

/** How a lane ends: `stop` after the batch under way, `abort` at once, leaving that batch to the next owner. */
export interface LaneSignals {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

/** A member of a consumer group: its work on each lane that it holds. */
export interface GroupMember {
  readonly consumer: LogConsumer;
  /** Works a lane until it is stopped; throws `FencedError` if the lane is lost. */
  readonly work: (lease: LaneLease, signals: LaneSignals) => Promise<void>;
  /** Closed with the member, and before its lanes if they take too long to end. */
  readonly decoder: { close(): Promise<void> };
  /** A member silent for this long loses its lanes, milliseconds. */
  readonly sessionMs: number;
  /** Something that people should know: a lane lost or taken. */
  readonly onNotice: (text: string) => void;
}

interface RunningLane extends LaneSignalControls {
  readonly generation: number;
  readonly done: Promise<void>;
}

interface LaneSignalControls {
  readonly stop: AbortController;
  readonly abort: AbortController;
}

/** Time limit of batches under way once the member is to end, ms; with the store away they cannot finish. */
const FINISH_MS = 20_000;
/** Time limit of an aborted lane, ms. */
const ABORT_MS = 5_000;

/**
 * Consumes a topic lane by lane. Runs until `signal` aborts, or throws what stopped it. Lanes come and go with the
 * group's members.
 */
export async function runMember(member: GroupMember, signal: AbortSignal): Promise<void> {
  const { consumer, decoder, sessionMs } = member;
  const running = new Map<number, RunningLane>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  try {
    while (!signal.aborted) {
      follow(await consumer.claim(), running, member, failed.reject);
      await Promise.race([pause(untilSharedMoment(sessionMs / 4), signal), failed.promise]);
    }
  } finally {
    const isFinished = await finish([...running.values()], member);
    await decoder.close();
    // A lane that did not end may still write: its lease must lapse.
    if (isFinished) await consumer.release();
  }
  await Promise.race([failed.promise, Promise.resolve()]);
}

/** Waits for the batches under way, and leaves those that take too long to the next owner. */
async function finish(
  lanes: readonly RunningLane[],
  { consumer, decoder, sessionMs }: GroupMember,
): Promise<boolean> {
  // Leases stay alive meanwhile.
  const renew = setInterval(() => void consumer.claim().catch(() => {}), sessionMs / 4);
  for (const { stop } of lanes) stop.abort();
  const ended = Promise.allSettled(lanes.map(({ done }) => done)).then(() => true as const);
  try {
    if (await within(ended, FINISH_MS)) return true;
    for (const { abort } of lanes) abort.abort();
    // A thread that hangs is not waited for.
    void decoder.close();
    return await within(ended, ABORT_MS);
  } finally {
    clearInterval(renew);
  }
}

async function within(ended: Promise<boolean>, ms: number): Promise<boolean> {
  const late = new AbortController();
  const timeout = sleep(ms, false as const, { signal: late.signal }).catch(() => false as const);
  const isEnded = await Promise.race([ended, timeout]);
  late.abort();
  return isEnded;
}

/** Starts the lanes that were won and stops those that were lost. */
function follow(
  leases: readonly LaneLease[],
  running: Map<number, RunningLane>,
  member: GroupMember,
  fail: (error: unknown) => void,
): void {
  const held = new Map(leases.map(({ lane, generation }) => [lane, generation]));
  for (const [lane, { generation, stop, abort }] of running) {
    if (held.get(lane) === generation) continue;
    stop.abort();
    abort.abort();
    running.delete(lane);
    member.onNotice(`lane ${lane}: lost`);
  }
  for (const lease of leases) if (!running.has(lease.lane)) running.set(lease.lane, start(lease));

  function start(lease: LaneLease): RunningLane {
    const { lane, generation } = lease;
    const controls = { stop: new AbortController(), abort: new AbortController() };
    const signals = { stop: controls.stop.signal, abort: controls.abort.signal };
    const done = member.work(lease, signals).catch((error: unknown) => {
      if (running.get(lane)?.stop === controls.stop) running.delete(lane);
      if (error instanceof FencedError || error instanceof RangeLostError)
        member.onNotice(`${error.message}: the lane is left to its new owner`);
      else if (!signals.stop.aborted) fail(error);
    });
    return { generation, ...controls, done };
  }
}
