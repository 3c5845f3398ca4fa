import { setTimeout as sleep } from 'node:timers/promises';
import { FencedError } from '../../platform/bus/errors.ts';
import type { LaneLease } from '../../platform/bus/port.ts';
import { LanePublisher } from './lane-publisher.ts';
import type { PublishPorts } from './publish-ports.ts';

export interface PublishStageOptions extends PublishPorts {
  readonly sessionMs: number;
}

interface RunningLane {
  readonly generation: number;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** How long the transactions under way may take to finish once the stage is to end. */
const FINISH_MS = 20_000;

/**
 * The stage `publish`: consumes `raw-blocks`, lane by lane, and writes the typed topics (pipelines/publish.ts). Runs until
 * `signal` aborts, or throws what stopped it. Lanes come and go with the group's members. The decoder is closed with it.
 */
export async function runPublish(options: PublishStageOptions, signal: AbortSignal): Promise<void> {
  const { consumer, decoder, sessionMs } = options;
  const running = new Map<number, RunningLane>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  try {
    while (!signal.aborted) {
      follow(await consumer.claim(), running, options, failed.reject);
      const pause = sleep(sessionMs / 4, undefined, { signal }).catch(() => {});
      await Promise.race([pause, failed.promise]);
    }
  } finally {
    const isFinished = await finish([...running.values()], options);
    await decoder.close();
    // With the brokers away the leases lapse by themselves.
    if (isFinished) await consumer.release();
  }
  await Promise.race([failed.promise, Promise.resolve()]);
}

/** Waits for the transactions under way, but not for ever: one that is cut off is aborted by the lane's next owner. */
async function finish(
  lanes: readonly RunningLane[],
  { consumer, sessionMs }: PublishStageOptions,
): Promise<boolean> {
  // Leases stay alive meanwhile.
  const renew = setInterval(() => void consumer.claim().catch(() => {}), sessionMs / 4);
  for (const { stop } of lanes) stop.abort();
  const late = new AbortController();
  const isFinished = await Promise.race([
    Promise.allSettled(lanes.map(({ done }) => done)).then(() => true),
    sleep(FINISH_MS, false, { signal: late.signal }).catch(() => false),
  ]);
  late.abort();
  clearInterval(renew);
  return isFinished;
}

/** Starts the lanes that were won and stops those that were lost. */
function follow(
  leases: readonly LaneLease[],
  running: Map<number, RunningLane>,
  options: PublishStageOptions,
  fail: (error: unknown) => void,
): void {
  const held = new Map(leases.map(({ lane, generation }) => [lane, generation]));
  for (const [lane, { generation, stop }] of running) {
    if (held.get(lane) === generation) continue;
    stop.abort();
    running.delete(lane);
    options.onNotice(`lane ${lane}: lost`);
  }
  for (const lease of leases) if (!running.has(lease.lane)) running.set(lease.lane, start(lease));

  function start(lease: LaneLease): RunningLane {
    const { lane, generation } = lease;
    const stop = new AbortController();
    const done = new LanePublisher(lease, options).run(stop.signal).catch((error: unknown) => {
      if (running.get(lane)?.stop === stop) running.delete(lane);
      if (error instanceof FencedError)
        options.onNotice(`${error.message}: the lane is left to its new owner`);
      else if (!stop.signal.aborted) fail(error);
    });
    return { generation, stop, done };
  }
}
