import type { LogIdentity } from '../../../engine/projection/projection.ts';
import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import {
  intersectRanges,
  type PositionRange,
  subtractRanges,
} from '../../../engine/ranges/position-ranges.ts';
import { RANGE_QUERY, TABLE_QUERY } from '../../../platform/clickhouse/query-profile.ts';

const route = 'verify/empty';

/** Steps of a chain that are confirmed and have no masterchain block. */
export async function emptySteps(
  { client, database }: StoreDatabase,
  { facts }: LogIdentity,
  confirmed: readonly PositionRange[],
): Promise<readonly PositionRange[]> {
  if (facts.continuity === 'isolated') return [];
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT before + 1, seqno - 1 FROM (
       SELECT seqno, lagInFrame(toInt64(seqno), 1, -1) OVER (ORDER BY seqno ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before
       FROM ${database}.blocks WHERE workchain = -1
     ) WHERE before >= 0 AND seqno > before + 1`,
    { route, ...TABLE_QUERY },
  );
  const { rows: ends } = await client.queryRows<[number, number, string]>(
    `SELECT min(seqno), max(seqno), count() FROM ${database}.blocks WHERE workchain = -1`,
    { route, ...RANGE_QUERY },
  );
  const [first, last, count] = ends[0] ?? [0, 0, '0'];
  const held = count === '0' ? [] : [{ first, last }];
  const gaps = rows.map(([from, to]) => ({ first: Number(from), last: Number(to) }));
  return intersectRanges(confirmed, [...gaps, ...subtractRanges(confirmed, held)]);
}
