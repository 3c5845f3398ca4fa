import type { StoreClient } from '../../platform/clickhouse/client.ts';

/** Positions (masterchain seqnos), both inclusive. */
export interface ConfirmedRange {
  readonly first: number;
  readonly last: number;
}

/** Both ranges as one if they touch or overlap; else null. */
export function joinRanges(a: ConfirmedRange, b: ConfirmedRange): ConfirmedRange | null {
  if (a.first > b.last + 1 || b.first > a.last + 1) return null;
  return { first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) };
}

/** Rows of `confirmed` that one look takes at each end. */
export const POLL_ROWS = 1_000;

const route = 'watermark';
/** A look reads a few rows: planning costs more than reading. */
export const POLL_SETTINGS = { max_threads: 1, enable_analyzer: 0 } as const;

/**
 * The contiguous confirmed range with the head, or null if nothing is confirmed. Reads all of `confirmed`, for a start;
 * afterwards `extendConfirmed` is a short read. `partition`: of a projection in chain order.
 */
export async function readConfirmed(
  client: StoreClient,
  database: string,
  partition?: number,
): Promise<ConfirmedRange | null> {
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT min(first), max(last) FROM
     (
         SELECT first, last, sum(begins) OVER (ORDER BY first, last) AS island
         FROM
         (
             SELECT first, last,
                 first > 1 + max(toUInt64(last)) OVER (ORDER BY first, last ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS begins
             FROM ${database}.confirmed ${ofPartition(partition, 'WHERE')}
         )
     )
     GROUP BY island ORDER BY max(last) DESC LIMIT 1`,
    { route, timeoutMs: 120_000 },
  );
  const row = rows[0];
  return row ? { first: row[0], last: row[1] } : null;
}

/** A projection in chain order confirms partition by partition: `lane` is the partition's number. */
function ofPartition(partition: number | undefined, word: 'AND' | 'WHERE'): string {
  return partition === undefined ? '' : `${word} lane = ${partition}`;
}

/** A known range as it has grown, and whether more may follow at once. */
export interface Extension {
  readonly range: ConfirmedRange;
  /** The highest confirmed position; above `range.last` if there is a gap. */
  readonly highest: number;
  /** A whole look was used up at one of the ends. */
  readonly more: boolean;
  /** True if nothing is confirmed outside the range; false also if this read cannot decide. */
  readonly isAll: boolean;
}

type Side = 'above' | 'below' | 'highest';

/** Grows a known range at both ends by what was confirmed since. One query over the ends of the primary key. */
export async function extendConfirmed(
  client: StoreClient,
  database: string,
  known: ConfirmedRange,
  partition?: number,
): Promise<Extension> {
  const own = ofPartition(partition, 'AND');
  const { rows } = await client.queryRows<[Side, number, number]>(
    `SELECT 'above', first, last FROM
         (SELECT first, last FROM ${database}.confirmed WHERE first > {last:UInt32} ${own} ORDER BY first LIMIT ${POLL_ROWS})
     UNION ALL
     SELECT 'below', first, last FROM
         (SELECT first, last FROM ${database}.confirmed WHERE first < {first:UInt32} ${own} ORDER BY first DESC LIMIT ${POLL_ROWS})
     UNION ALL
     SELECT 'highest', first, last FROM
         (SELECT first, last FROM ${database}.confirmed WHERE true ${own} ORDER BY first DESC LIMIT 1)`,
    { route, params: { first: known.first, last: known.last }, settings: POLL_SETTINGS },
  );
  const of = (side: Side) => rows.filter(([name]) => name === side);
  const above = of('above').sort((a, b) => a[1] - b[1]);
  const below = of('below').sort((a, b) => b[1] - a[1]);
  let { first, last } = known;
  for (const row of above) if (row[1] <= last + 1) last = Math.max(last, row[2]);
  for (const row of below) if (row[2] + 1 >= first) first = Math.min(first, row[1]);
  const grown = first < known.first || last > known.last;
  const full = above.length === POLL_ROWS || below.length === POLL_ROWS;
  const [head] = of('highest');
  return {
    range: { first, last },
    highest: Math.max(last, head?.[2] ?? last),
    more: grown && full,
    isAll: !full && head?.[2] === last && below.every((row) => row[1] >= first),
  };
}
