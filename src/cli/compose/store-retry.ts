import type { StoreRetryPolicy } from '../../platform/clickhouse/retry-store.ts';
import type { Session } from '../session.ts';

/** A crashed store is back within seconds; after this time it will not return without help. */
const LIMIT_MS = 120_000;

/** Retry policy of a command for an absent store, before and after its stages, which retry on their own. */
export function storeRetry({ log, signal }: Pick<Session, 'log' | 'signal'>): StoreRetryPolicy {
  return {
    signal,
    limitMs: LIMIT_MS,
    onFailure: (error, pauseMs) => log.warn({ error, pauseMs }, 'the store does not answer; retrying'),
  };
}
