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
  return commonOf(partitions, (partition) => readIslands(client, database, partition));
}

async function commonOf(
  partitions: number,
  islandsOf: (partition: number) => Promise<PositionRange[]>,
): Promise<PositionRange[]> {
  let common = await islandsOf(0);
  for (let partition = 1; partition < partitions; partition++)
    common = intersectRanges(common, await islandsOf(partition));
  return common;
}

/**
 * Reads islands again and again. Where there is one alone, as behind every index that is filled, a look reads what was
 * added at its ends; all of `confirmed`, which has a row for each batch that ever was, is read for the first look
 * and while there are gaps. What `news` has told since is known without a look.
 */
export class IslandsReader {
  readonly #client: StoreClient;
  readonly #news: Pick<ConfirmedNews, 'told'> | undefined;
  /** The only island of a database or partition at the last look, as it has grown by what was told. */
  readonly #single = new Map<string, PositionRange>();

  constructor(client: StoreClient, news?: Pick<ConfirmedNews, 'told'>) {
    this.#client = client;
    this.#news = news;
  }

  /** Islands of a projection's version: of one in chain order, those that each of so many partitions has confirmed. */
  look(database: string, partitions: number | null): Promise<PositionRange[]> {
    return partitions === null
      ? this.#islands(database)
      : commonOf(partitions, (partition) => this.#islands(database, partition));
  }

  /**
   * The range that all partitions have confirmed, by the last look and by what was told since: null where this process
   * does not write all of them, or a look has found gaps or nothing.
   */
  told(database: string, partitions: number | null): PositionRange | null {
    if (partitions === null) return this.#toldOf(database);
    const ranges = Array.from({ length: partitions }, (_, partition) => this.#toldOf(database, partition));
    if (ranges.includes(null)) return null;
    const first = Math.max(...ranges.map((range) => range!.first));
    const last = Math.min(...ranges.map((range) => range!.last));
    return first > last ? null : { first, last };
  }

  #toldOf(database: string, partition?: number): PositionRange | null {
    const key = confirmedKey(database, partition);
    const known = this.#single.get(key);
    const told = this.#news?.told(database, partition);
    if (!known || !told) return null;
    const grown = joinRanges(known, told) ?? known;
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

  /** The island as it is now; null where it may not be the only one any more. */
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
