import { joinRanges, type PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { MISCOUNTED_RECENT } from './row-checks.ts';

/** A server that was ended writes nothing for longer than this that was not on the disk: Linux writes back in 30 s. */
const WINDOW_S = 1_800;
const MOST_RANGES = 1_000;
/** Stretches of steps that are looked at, the newest first. */
const MOST_STRETCHES = 16;
const SAMPLES = 5;

const route = 'verify/recent';

export interface RecentDamage {
  /** Steps that were measured. */
  readonly measured: readonly PositionRange[];
  /** Counts that are not what they should be. */
  readonly problems: number;
  readonly samples: readonly string[];
}

/**
 * Measures what was confirmed in the last half hour of work: after an unclean end of the server it is what may be lost.
 * A thousand ranges at most, and only the parts written since are read. One server only.
 */
export async function recentDamage(client: StoreClient, database: string): Promise<RecentDamage> {
  const { rows } = await client.queryRows<[number, number, number]>(
    `SELECT first, last, toUnixTimestamp(at) FROM ${database}.confirmed
     WHERE at >= (SELECT max(at) FROM ${database}.confirmed) - ${WINDOW_S} ORDER BY at DESC LIMIT ${MOST_RANGES}`,
    { route, timeoutMs: 60_000 },
  );
  const measured = joinRanges(rows.map(([first, last]) => ({ first, last }))).slice(-MOST_STRETCHES);
  // The rows of a range are written some time before it is confirmed.
  const since = Math.min(...rows.map(([, , at]) => at)) - WINDOW_S;
  let problems = 0;
  const samples: string[] = [];
  for (const { first, last } of measured) {
    const found = await client.queryRows<[string, string[]]>(
      `SELECT count(), groupArray(${SAMPLES})(concat('masterchain ', toString(mc_seqno), ': ', name, ' has ', toString(found), ' of ', toString(wanted), ' rows'))
       FROM (${MISCOUNTED_RECENT})`,
      {
        route,
        params: { db: database, database, first, last, since },
        timeoutMs: 600_000,
        maxMemoryBytes: 0,
      },
    );
    const [count, some] = found.rows[0] ?? ['0', []];
    problems += Number(count);
    samples.push(...some.slice(0, SAMPLES - samples.length));
  }
  return { measured, problems, samples };
}
