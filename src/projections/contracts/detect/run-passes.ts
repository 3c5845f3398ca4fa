import { setTimeout as sleep } from 'node:timers/promises';
import type { DetectionPass } from './detector.ts';

export interface PassOptions {
  /** Milliseconds between two passes. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  readonly log: {
    info(facts: object, text: string): void;
    warn(facts: object, text: string): void;
  };
}

/** Repeats passes until the signal; one that fails is said and repeated: the store may be away, or a version gone. */
export async function runPasses(
  pass: () => Promise<DetectionPass | null>,
  { pauseMs, signal, log }: PassOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const done = await pass();
      if (done && done.accounts > 0) log.info({ ...done }, 'contracts checked by their get methods');
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, 'detection of contracts is retried');
    }
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}
