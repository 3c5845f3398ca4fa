import { direction, type Page } from '../../query/page.ts';
import { boundToVisible, type RawRow } from '../../query/scope.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { BlockFilter } from './filter.ts';

/** Bounds of a list of transactions or messages that blocks know. */
type WindowFilter = Pick<
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

/**
 * Finds the shortest stretch of time, from the list's beginning, whose blocks hold `need` transactions: blocks know
 * their count, so a list by time reads the transactions of a few blocks, not of the whole window.
 */
export function planTimeWindow(
  database: string,
  filter: WindowFilter,
  { need, descending }: TimeNeed,
  visible: VisibleRange,
): Statement {
  const conditions = blockConditions(filter, visible).bind({ need });
  const dir = direction({ descending });
  const blocks =
    `SELECT gen_utime, tx_count, start_lt, end_lt FROM ${database}.blocks_by_time WHERE ${conditions.text}` +
    ` ORDER BY gen_utime ${dir} LIMIT {need:UInt32} WITH TIES`;
  const seconds = `SELECT gen_utime, sum(tx_count) AS transactions, min(start_lt) AS first_lt, max(end_lt) AS last_lt FROM (${blocks}) GROUP BY gen_utime`;
  const running = `SELECT *, sum(transactions) OVER (ORDER BY gen_utime ${dir} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - transactions AS before FROM (${seconds})`;
  return conditions.statement(
    `SELECT min(gen_utime), max(gen_utime), min(first_lt), max(last_lt), toUInt32(sum(transactions)) FROM (${running}) WHERE before < {need:UInt32}`,
  );
}

function blockConditions(filter: WindowFilter, visible: VisibleRange): Conditions {
  const conditions = boundToVisible(new Conditions().add('tx_count > 0'), visible);
  if (filter.startUtime !== undefined)
    conditions.add('gen_utime >= {start:UInt32}', { start: filter.startUtime });
  if (filter.endUtime !== undefined) conditions.add('gen_utime <= {end:UInt32}', { end: filter.endUtime });
  if (filter.workchain !== undefined)
    conditions.add('workchain = {workchain:Int32}', { workchain: filter.workchain });
  if (filter.shard !== undefined) conditions.add('shard = {shard:UInt64}', { shard: `${filter.shard}` });
  if (filter.seqno !== undefined) conditions.add('seqno = {seqno:UInt32}', { seqno: filter.seqno });
  if (filter.startLt !== undefined)
    conditions.add('end_lt >= {start_lt:UInt64}', { start_lt: `${filter.startLt}` });
  if (filter.endLt !== undefined)
    conditions.add('start_lt <= {end_lt:UInt64}', { end_lt: `${filter.endLt}` });
  return conditions;
}

/** Reads the row of planTimeWindow; null if no block has a transaction in it. */
export function timeWindow(row: RawRow | undefined): TimeWindow | null {
  if (!row || row[4] === 0) return null;
  return {
    startUtime: row[0] as number,
    endUtime: row[1] as number,
    startLt: row[2] as string,
    endLt: row[3] as string,
    transactions: row[4] as number,
  };
}
