import { type Page, way } from '../../query/page.ts';
import { type RawRow, type ReadScope, within } from '../../query/scope.ts';
import { and, i32, type Sql, sql, u32, u64 } from '../../query/sql.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { BlockFilter } from './filter.ts';
import { findTimeWindowBlocks } from './indexed-window.ts';
import { blockIndex } from './keys.ts';

/** Bounds of a list of transactions or messages that blocks know. */
export type WindowFilter = Pick<
  BlockFilter,
  'startUtime' | 'endUtime' | 'workchain' | 'shard' | 'seqno' | 'startLt' | 'endLt'
>;

/** A stretch of generation times and the logical times of the blocks in it. */
export interface TimeWindow {
  readonly startUtime: number;
  readonly endUtime: number;
  readonly startLt: string;
  readonly endLt: string;
  /** Transactions of the blocks in the window. */
  readonly transactions: number;
}

/** Rows that a list sorted by time needs from its beginning on. */
export interface TimeNeed extends Pick<Page, 'descending'> {
  readonly need: number;
}

/** Blocks that are added up here: the statement that adds them up in the store takes three times as much of its time. */
const FEW_BLOCKS = 2_000;

/**
 * Finds the shortest stretch of time, from the list's beginning, whose blocks hold `need` transactions: blocks know
 * their count, so a list by time reads the transactions of a few blocks, not of the whole window. Null if no block has
 * a transaction in it.
 */
export async function readTimeWindow(
  scope: ReadScope,
  filter: WindowFilter,
  wanted: TimeNeed,
): Promise<TimeWindow | null> {
  const indexed = findTimeWindowBlocks(scope, filter, wanted);
  if (indexed) return addUp(indexed, wanted.need);
  const { databases, visible } = scope;
  const blocks = planWindowBlocks(databases.base, filter, wanted, visible);
  if (wanted.need <= FEW_BLOCKS) return addUp(await scope.query(blocks), wanted.need);
  return timeWindow((await scope.query(planTimeWindow(blocks, wanted)))[0]);
}

/** Rows (gen_utime, tx_count, start_lt, end_lt): so many blocks from the list's beginning, and all of the last one's second. */
export function planWindowBlocks(
  database: string,
  filter: WindowFilter,
  { need, descending }: TimeNeed,
  visible: VisibleRange,
): Sql {
  return sql`SELECT gen_utime, tx_count, start_lt, end_lt FROM ${blockIndex(database, 'time')} WHERE ${passes(filter, visible)} ORDER BY gen_utime ${way({ descending })} LIMIT ${u32(need)} WITH TIES`;
}

/** The window of blocks, in one row. */
export function planTimeWindow(blocks: Sql, { need, descending }: TimeNeed): Sql {
  const seconds = sql`SELECT gen_utime, sum(tx_count) AS transactions, min(start_lt) AS first_lt, max(end_lt) AS last_lt FROM (${blocks}) GROUP BY gen_utime`;
  const running = sql`SELECT *, sum(transactions) OVER (ORDER BY gen_utime ${way({ descending })} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - transactions AS before FROM (${seconds})`;
  return sql`SELECT min(gen_utime), max(gen_utime), min(first_lt), max(last_lt), toUInt32(sum(transactions)) FROM (${running}) WHERE before < ${u32(need)}`;
}

/** The window of rows as `planWindowBlocks` has them: whole seconds until there are enough transactions. */
function addUp(rows: readonly RawRow[], need: number): TimeWindow | null {
  let transactions = 0;
  let last: unknown;
  const taken = rows.filter(([second, count]) => {
    if (second !== last && transactions >= need) return false;
    last = second;
    transactions += count as number;
    return true;
  });
  if (taken.length === 0) return null;
  const times = taken.map(([second]) => second as number);
  const lts = taken.flatMap(([, , start, end]) => [BigInt(start as string), BigInt(end as string)]);
  const [startLt, endLt] = [lts.reduce(smaller), lts.reduce(larger)];
  return {
    startUtime: Math.min(...times),
    endUtime: Math.max(...times),
    startLt: `${startLt}`,
    endLt: `${endLt}`,
    transactions,
  };
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const larger = (a: bigint, b: bigint) => (a > b ? a : b);

function passes(filter: WindowFilter, visible: VisibleRange): Sql {
  const { startUtime, endUtime, workchain, shard, seqno, startLt, endLt } = filter;
  return and(
    sql`tx_count > 0`,
    within(visible),
    startUtime !== undefined && sql`gen_utime >= ${u32(startUtime)}`,
    endUtime !== undefined && sql`gen_utime <= ${u32(endUtime)}`,
    workchain !== undefined && sql`workchain = ${i32(workchain)}`,
    shard !== undefined && sql`shard = ${u64(shard)}`,
    seqno !== undefined && sql`seqno = ${u32(seqno)}`,
    startLt !== undefined && sql`end_lt >= ${u64(startLt)}`,
    endLt !== undefined && sql`start_lt <= ${u64(endLt)}`,
  );
}

/** Reads the row of planTimeWindow; null if no block has a transaction in it. */
function timeWindow(row: RawRow | undefined): TimeWindow | null {
  if (!row || row[4] === 0) return null;
  return {
    startUtime: row[0] as number,
    endUtime: row[1] as number,
    startLt: row[2] as string,
    endLt: row[3] as string,
    transactions: row[4] as number,
  };
}
