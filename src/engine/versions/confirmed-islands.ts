import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { intersectRanges, type PositionRange } from '../ranges/position-ranges.ts';

/** Confirmed ranges of a version's database, joined, ascending; of a projection in chain order, by partition. */
export async function readIslands(
  client: StoreClient,
  database: string,
  partition?: number,
): Promise<PositionRange[]> {
  const own = partition === undefined ? '' : `WHERE lane = ${partition}`;
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT min(first), max(last) FROM
     (
         SELECT first, last, sum(begins) OVER (ORDER BY first, last) AS island
         FROM
         (
             SELECT first, last,
                 first > 1 + max(toUInt64(last)) OVER (ORDER BY first, last ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS begins
             FROM ${database}.confirmed ${own}
         )
     )
     GROUP BY island ORDER BY min(first)`,
    { route: 'versions/islands', timeoutMs: 120_000, maxRows: 10_000_000 },
  );
  return rows.map(([first, last]) => ({ first, last }));
}

/** Range that every partition has confirmed. */
export async function readCommonIslands(
  client: StoreClient,
  database: string,
  partitions: number,
): Promise<PositionRange[]> {
  let common = await readIslands(client, database, 0);
  for (let partition = 1; partition < partitions; partition++)
    common = intersectRanges(common, await readIslands(client, database, partition));
  return common;
}
