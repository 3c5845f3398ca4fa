import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainTip, Source, Step } from '../../src/capture/source.ts';

/** When the steps of a source are handed out. */
export interface Pace {
  readonly stepMs: number;
  /** Called for every emitted step. */
  readonly onStep: (mcSeqno: number) => void;
}

/** The same blocks, one step at a time, as if they were made now: capture takes it for a head without an end. */
export function pacedSource(source: Source, pace: Pace): Source {
  return {
    ...source,
    finite: false,
    steps: (after, signal) => pacedSteps(source, pace, after, signal),
  };
}

async function* pacedSteps(
  source: Source,
  { stepMs, onStep }: Pace,
  after: ChainTip | null,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let due = performance.now();
  for await (const step of source.steps(after, signal)) {
    await sleep(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    due += stepMs;
    onStep(step.mcSeqno);
    yield step;
  }
}
