import pRetry from 'p-retry';
import { DataError } from '../errors/error-kinds.ts';

/** When a failed attempt is followed by another one. */
export interface RetryPolicy {
  /** Ends the retries, also in a pause; the call rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Pause after the first failure, milliseconds; each further one is twice as long. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Pauses are shorter or longer by up to a third, at random: many callers do not come back at once. Default false. */
  readonly isSpread?: boolean;
  /** No retry begins later than this after the first attempt, milliseconds. Default: no limit. */
  readonly limitMs?: number;
  /** Whether another attempt may succeed. An error that it throws ends the call. */
  readonly isRetriable: (error: unknown) => boolean;
  /** Called for every failure that is retried. */
  readonly onRetry?: (error: unknown, pauseMs: number) => void;
}

/** Carries what an attempt threw past p-retry, which never retries a TypeError and replaces what is no Error. */
class FailedAttempt extends DataError {}

/**
 * The result of the first attempt that succeeds.
 * @throws the last failure, or the signal's reason
 */
export async function retry<Result>(attempt: () => Promise<Result>, policy: RetryPolicy): Promise<Result> {
  const { signal, firstPauseMs, longestPauseMs, limitMs = Number.POSITIVE_INFINITY } = policy;
  const { isRetriable, onRetry, isSpread = false } = policy;
  const begun = performance.now();
  let done: { readonly result: Result } | null = null;
  const run = async () => {
    try {
      done = { result: await attempt() };
    } catch (cause) {
      throw new FailedAttempt('the attempt failed', { cause });
    }
  };
  const shouldRetry = ({ error, retriesConsumed }: { error: Error; retriesConsumed: number }) => {
    if (!(error instanceof FailedAttempt)) return false;
    const { cause } = error;
    if (!isRetriable(cause)) return false;
    // p-retry then rejects with the signal's reason: a stop is not a failure.
    if (signal.aborted) return true;
    const pauseMs = Math.min(Math.round(firstPauseMs * 2 ** retriesConsumed), longestPauseMs);
    if (performance.now() - begun + pauseMs > limitMs) return false;
    onRetry?.(cause, pauseMs);
    return true;
  };
  // p-retry makes pauses longer by up to their own length: with a third less they are as long on average.
  const minTimeout = isSpread ? (firstPauseMs * 2) / 3 : firstPauseMs;
  const pauses = { minTimeout, maxTimeout: longestPauseMs, randomize: isSpread };
  try {
    await pRetry(run, { retries: Number.POSITIVE_INFINITY, ...pauses, signal, shouldRetry });
  } catch (error) {
    // p-retry also rejects if the signal aborted during the successful attempt.
    if (!done) throw error instanceof FailedAttempt ? error.cause : error;
  }
  return (done as { readonly result: Result } | null)!.result;
}
