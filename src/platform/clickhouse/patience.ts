import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from './store-errors.ts';

export interface Patience {
  /** Ends the trying; rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Told of every failure that is tried again. */
  readonly onFailure: (error: unknown, pauseMs: number) => void;
  /** The last failure is thrown after this. Default: tries until `signal` aborts. */
  readonly limitMs?: number;
  /** First pause, ms; doubles up to 5 s. Default 200. */
  readonly backOffMs?: number;
}

const MAX_BACK_OFF_MS = 5_000;

/** Does `work`, which may be done twice, again and again while the store is away; other errors are thrown at once. */
export async function patiently<T>(work: () => Promise<T>, patience: Patience): Promise<T> {
  const { signal, onFailure, limitMs = Number.POSITIVE_INFINITY } = patience;
  const deadline = performance.now() + limitMs;
  for (let pause = patience.backOffMs ?? 200; ; pause = Math.min(pause * 2, MAX_BACK_OFF_MS)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() + pause > deadline) throw error;
      onFailure(error, pause);
    }
    await sleep(pause, undefined, { signal });
  }
}
