import type { StoreRetryPolicy } from '../../platform/clickhouse/retry-store.ts';
import type { Session } from '../session.ts';

/** A store that crashed is back within seconds; one that stays away for so long will not come by itself. */
const LIMIT_MS = 120_000;

/** Retry policy of a command for a store that is away, before and after its stages, which retry by themselves. */
export function storeRetry({ log, signal }: Pick<Session, 'log' | 'signal'>): StoreRetryPolicy {
  return {
    signal,
    limitMs: LIMIT_MS,
    onFailure: (error, pauseMs) => log.warn({ error, pauseMs }, 'the store does not answer; retrying'),
  };
}
