import type { StoreClient } from '../client.ts';
import type { PositionRange } from './position-ranges.ts';

/** All that is confirmed in a version's database, joined, ascending. */
export async function readIslands(client: StoreClient, database: string): Promise<PositionRange[]> {
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT min(first), max(last) FROM
     (
         SELECT first, last, sum(begins) OVER (ORDER BY first, last) AS island
         FROM
         (
             SELECT first, last,
                 first > 1 + max(toUInt64(last)) OVER (ORDER BY first, last ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS begins
             FROM ${database}.confirmed
         )
     )
     GROUP BY island ORDER BY min(first)`,
    { route: 'versions/islands', timeoutMs: 120_000, maxRows: 10_000_000 },
  );
  return rows.map(([first, last]) => ({ first, last }));
}
