import type { Patience } from '../../platform/clickhouse/patience.ts';
import type { Session } from '../session.ts';

/** A store that crashed is back within seconds; one that stays away for so long will not come by itself. */
const LIMIT_MS = 120_000;

/** How a command waits for a store that is away before and after its stages, which wait by themselves. */
export function storePatience({ log, signal }: Pick<Session, 'log' | 'signal'>): Patience {
  return {
    signal,
    limitMs: LIMIT_MS,
    onFailure: (error, pauseMs) => log.warn({ error, pauseMs }, 'the store does not answer; trying again'),
  };
}
