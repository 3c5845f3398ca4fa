import { joinRanges, type PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { countedTables } from './counted-tables.ts';
import { miscounted, miscountedRecently } from './row-checks.ts';

/** A server that was ended writes nothing for longer than this that was not on the disk: Linux writes back in 30 s. */
const WINDOW_S = 1_800;
const MAX_RANGES = 1_000;
/** Stretches of steps that are looked at, the newest first. */
const MAX_STRETCHES = 16;
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
 * A thousand ranges at most, and only the parts written since are read. One server only. `cold`: condition on the steps
 * whose raw blocks may be in sealed files only.
 */
export async function recentDamage(
  client: StoreClient,
  database: string,
  cold: string,
): Promise<RecentDamage> {
  const { rows } = await client.queryRows<[number, number, number]>(
    `SELECT first, last, toUnixTimestamp(at) FROM ${database}.confirmed
     WHERE at >= (SELECT max(at) FROM ${database}.confirmed) - ${WINDOW_S} ORDER BY at DESC LIMIT ${MAX_RANGES}`,
    { route, timeoutMs: 60_000 },
  );
  const measured = joinRanges(rows.map(([first, last]) => ({ first, last }))).slice(-MAX_STRETCHES);
  // The rows of a range are written some time before it is confirmed.
  const since = Math.min(...rows.map(([, , at]) => at)) - WINDOW_S;
  const tables = await countedTables(client, database);
  let problems = 0;
  const samples: string[] = [];
  for (const { first, last } of measured) {
    const suspected = await wrongCounts(client, miscountedRecently(tables).replaceAll('{cold}', cold), {
      db: database,
      database,
      first,
      last,
      since,
    });
    if (suspected.problems === 0) continue;
    // A merge during the statement hides the rows of replaced parts: only the whole tables show whether rows are
    // missing.
    const found = await wrongCounts(client, miscounted(tables).replaceAll('{cold}', cold), {
      db: database,
      first: suspected.first,
      last: suspected.last,
    });
    problems += found.problems;
    samples.push(...found.samples.slice(0, SAMPLES - samples.length));
  }
  return { measured, problems, samples };
}

interface Miscounted {
  readonly problems: number;
  /** The first and the last step with a wrong count. */
  readonly first: number;
  readonly last: number;
  readonly samples: readonly string[];
}

async function wrongCounts(
  client: StoreClient,
  steps: string,
  params: Readonly<Record<string, string | number>>,
): Promise<Miscounted> {
  const { rows } = await client.queryRows<[string, number, number, string[]]>(
    `SELECT count(), min(mc_seqno), max(mc_seqno),
       groupArray(${SAMPLES})(concat('masterchain ', toString(mc_seqno), ': ', name, ' has ', toString(found), ' of ', toString(wanted), ' rows'))
     FROM (${steps})`,
    { route, params, ...RANGE_QUERY },
  );
  const [count, first, last, samples] = rows[0] ?? ['0', 0, 0, []];
  return { problems: Number(count), first, last, samples };
}
