import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { intersectRanges, type PositionRange } from '../ranges/position-ranges.ts';
import { type ConfirmedNews, confirmedKey } from '../watermark/confirmed-news.ts';
import { extendConfirmed, joinRanges } from '../watermark/confirmed-range.ts';

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
export function readCommonIslands(
  client: StoreClient,
  database: string,
  partitions: number,
): Promise<PositionRange[]> {
  return intersectIslands(partitions, (partition) => readIslands(client, database, partition));
}

async function intersectIslands(
  partitions: number,
  readPartition: (partition: number) => Promise<PositionRange[]>,
): Promise<PositionRange[]> {
  let common = await readPartition(0);
  for (let partition = 1; partition < partitions; partition++)
    common = intersectRanges(common, await readPartition(partition));
  return common;
}

/**
 * Reads islands repeatedly. With a single island, as in a complete index, a poll reads only the additions at its ends.
 * All of `confirmed`, with a row for each batch, is read at first and while there are gaps. Announcements in `news`
 * need no poll.
 */
export class IslandsReader {
  readonly #client: StoreClient;
  readonly #news: Pick<ConfirmedNews, 'announced'> | undefined;
  /** The only island of a database or partition at the last poll, with later announcements. */
  readonly #single = new Map<string, PositionRange>();

  constructor(client: StoreClient, news?: Pick<ConfirmedNews, 'announced'>) {
    this.#client = client;
    this.#news = news;
  }

  /** Islands of a projection's version; in chain order, the steps that all partitions have confirmed. */
  poll(database: string, partitions: number | null): Promise<PositionRange[]> {
    return partitions === null
      ? this.#islands(database)
      : intersectIslands(partitions, (partition) => this.#islands(database, partition));
  }

  /**
   * The range that all partitions have confirmed, by the last poll and later announcements. Null if this process does
   * not write all of them, or a poll has found gaps or nothing.
   */
  announced(database: string, partitions: number | null): PositionRange | null {
    if (partitions === null) return this.#getConfirmed(database);
    const ranges = Array.from({ length: partitions }, (_, partition) =>
      this.#getConfirmed(database, partition),
    );
    if (ranges.includes(null)) return null;
    const first = Math.max(...ranges.map((range) => range!.first));
    const last = Math.min(...ranges.map((range) => range!.last));
    return first > last ? null : { first, last };
  }

  #getConfirmed(database: string, partition?: number): PositionRange | null {
    const key = confirmedKey(database, partition);
    const known = this.#single.get(key);
    const announced = this.#news?.announced(database, partition);
    if (!known || !announced) return null;
    const grown = joinRanges(known, announced) ?? known;
    this.#single.set(key, grown);
    return grown;
  }

  async #islands(database: string, partition?: number): Promise<PositionRange[]> {
    const key = confirmedKey(database, partition);
    const grown = await this.#grown(this.#single.get(key), database, partition);
    const islands = grown ? [grown] : await readIslands(this.#client, database, partition);
    const [single, ...others] = islands;
    if (single && others.length === 0) this.#single.set(key, single);
    else this.#single.delete(key);
    return islands;
  }

  /** The current island; null if there may be others. */
  async #grown(
    known: PositionRange | undefined,
    database: string,
    partition?: number,
  ): Promise<PositionRange | null> {
    for (let range = known; range; ) {
      const extension = await extendConfirmed(this.#client, database, range, partition);
      if (!extension.more) return extension.isAll ? extension.range : null;
      range = extension.range;
    }
    return null;
  }
}
