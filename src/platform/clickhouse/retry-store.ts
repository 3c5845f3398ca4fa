import { isRetriable } from '../errors/error-outcome.ts';
import { retry } from '../retry/retry.ts';

/** Retry policy of work on a store that may be away. */
export interface StoreRetryPolicy {
  /** Ends the retries; the call rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called with every failure that is retried. */
  readonly onFailure: (error: unknown, pauseMs: number) => void;
  /** The last failure is thrown after this time, ms. Default: retries until `signal` aborts. */
  readonly limitMs?: number;
  /** First pause, ms; doubles up to 5 s. Default 200. */
  readonly backOffMs?: number;
}

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

/** Runs `work`, which may run twice, and retries it while the store is away; other errors are thrown at once. */
export function retryStore<T>(work: () => Promise<T>, retryPolicy: StoreRetryPolicy): Promise<T> {
  const { signal, onFailure, limitMs, backOffMs = FIRST_PAUSE_MS } = retryPolicy;
  return retry(work, {
    signal,
    firstPauseMs: backOffMs,
    longestPauseMs: MAX_PAUSE_MS,
    ...(limitMs !== undefined && { limitMs }),
    isRetriable,
    onRetry: onFailure,
  });
}
