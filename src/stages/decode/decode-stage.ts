import { FencedError } from '../../platform/bus/errors.ts';
import type { LaneLease } from '../../platform/bus/port.ts';
import { LaneLoop, type LaneLoopPorts } from './lane-loop.ts';
import { SeenBlocks, type StoredBlocks } from './seen-blocks.ts';

export interface DecodeStageOptions extends LaneLoopPorts {
  readonly sessionMs: number;
  readonly stored: StoredBlocks;
  /** Something that people should know: a lane lost or taken. */
  readonly onNotice: (text: string) => void;
}

interface RunningLane {
  readonly lease: LaneLease;
  /** Ends the lane after the batch under way. */
  readonly stop: AbortController;
  /** Ends the lane at once; its batch stays in the journal. */
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** How long the batches under way may take to finish once the stage is to end; with the store away they cannot. */
const FINISH_MS = 20_000;

/**
 * The stage `decode`: consumes `raw-blocks`, lane by lane, and writes the `base` projection. Runs until `signal`
 * aborts, or throws what stopped it. Lanes come and go with the group's members. The decoder is closed with the stage.
 */
export async function runDecode(options: DecodeStageOptions, signal: AbortSignal): Promise<void> {
  const running = new Map<number, RunningLane>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  try {
    while (!signal.aborted) {
      follow(await options.consumer.claim(), running, options, failed.reject);
      await Promise.race([pause(options.sessionMs / 4, signal), failed.promise]);
    }
  } finally {
    for (const lane of running.values()) lane.stop.abort();
    await finish([...running.values()], options);
    await options.decoder.close();
    await options.consumer.release();
  }
  await Promise.race([failed.promise, Promise.resolve()]);
}

/** Waits for the batches under way, and leaves those that take too long to the next start. */
async function finish(lanes: readonly RunningLane[], { consumer, decoder, sessionMs }: DecodeStageOptions) {
  // Leases stay alive meanwhile.
  const renew = setInterval(() => void consumer.claim().catch(() => {}), sessionMs / 4);
  const late = setTimeout(() => {
    for (const lane of lanes) lane.abort.abort();
    // A thread that hangs is not waited for.
    void decoder.close();
  }, FINISH_MS);
  await Promise.allSettled(lanes.map((lane) => lane.done));
  clearInterval(renew);
  clearTimeout(late);
}

/** Starts the lanes that were won and stops those that were lost. */
function follow(
  leases: readonly LaneLease[],
  running: Map<number, RunningLane>,
  options: DecodeStageOptions,
  fail: (error: unknown) => void,
): void {
  const held = new Map(leases.map((lease) => [lease.lane, lease]));
  for (const [lane, { lease, stop, abort }] of running) {
    if (held.get(lane)?.generation === lease.generation) continue;
    stop.abort();
    abort.abort();
    running.delete(lane);
    options.onNotice(`lane ${lane}: lost`);
  }
  for (const lease of leases) {
    if (running.has(lease.lane)) continue;
    const stop = new AbortController();
    const abort = new AbortController();
    const loop = new LaneLoop(lease, new SeenBlocks(options.stored), options);
    const done = loop.run({ stop: stop.signal, abort: abort.signal }).catch((error: unknown) => {
      if (running.get(lease.lane)?.stop === stop) running.delete(lease.lane);
      if (error instanceof FencedError)
        options.onNotice(`${error.message}: the lane is left to its new owner`);
      else if (!stop.signal.aborted) fail(error);
    });
    running.set(lease.lane, { lease, stop, abort, done });
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
