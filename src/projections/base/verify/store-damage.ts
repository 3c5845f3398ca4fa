import { joinRanges, type PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { TABLE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { type IndexFacts, SLICE_STEPS, type Slice } from './check.ts';
import { countedTables } from './counted-tables.ts';
import { miscounted, UNCONFIRMED } from './row-checks.ts';

/** Slices that together hold every step of which anything is known: counts, blocks, confirmed ranges. */
export async function knownSlices(
  client: StoreClient,
  database: string,
  continuity: IndexFacts['continuity'],
): Promise<readonly Slice[]> {
  const { rows } = await client.queryRows<[number, number, string]>(
    `SELECT min(low), max(high), sum(rows) FROM (
       SELECT min(mc_seqno) AS low, max(mc_seqno) AS high, count() AS rows FROM ${database}.step_rows HAVING rows > 0
       UNION ALL SELECT min(mc_seqno), max(mc_seqno), count() AS rows FROM ${database}.blocks HAVING rows > 0
       UNION ALL SELECT min(mc_seqno), max(mc_seqno), count() AS rows FROM ${database}.raw_blocks HAVING rows > 0
       UNION ALL SELECT min(first), max(last), count() AS rows FROM ${database}.confirmed HAVING rows > 0)`,
    { route: 'verify/slices', ...TABLE_QUERY },
  );
  const [low, high, count] = rows[0] ?? [0, 0, '0'];
  if (count === '0') return [];
  // Unrelated blocks are few and far apart.
  const width = continuity === 'chain' ? SLICE_STEPS : high - low + 1;
  const slices: Slice[] = [];
  for (let first = low; first <= high; first += width)
    slices.push({ first, last: Math.min(high, first + width - 1) });
  return slices;
}

/** Steps that hold other rows than were counted for them, and steps that hold rows although nothing confirms them. */
export async function damagedSteps(
  client: StoreClient,
  database: string,
  continuity: IndexFacts['continuity'],
  { open, cold }: { readonly open: string; readonly cold: string },
): Promise<PositionRange[]> {
  const damaged: PositionRange[] = [];
  const counted = miscounted(await countedTables(client, database)).replaceAll('{cold}', cold);
  for (const { first, last } of await knownSlices(client, database, continuity)) {
    for (const steps of [counted, UNCONFIRMED.replaceAll('{open}', open)]) {
      const { rows } = await client.queryRows<[number]>(
        `SELECT DISTINCT mc_seqno FROM (${steps}) ORDER BY mc_seqno`,
        { route: 'verify/damaged', params: { db: database, first, last }, ...TABLE_QUERY },
      );
      damaged.push(...rows.map(([step]) => ({ first: step, last: step })));
    }
  }
  return joinRanges(damaged);
}
