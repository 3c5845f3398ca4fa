import { direction, type Page } from '../../query/page.ts';
import type { Statement } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { TimeWindow } from '../blocks/time-window.ts';
import { addMessageKeys } from '../messages/ends.ts';
import { transactionConditions } from './conditions.ts';
import type { TransactionFilter } from './filter.ts';
import { PACKED_TABLE, TRANSACTION_SELECT } from './model.ts';
import { TIES } from './order.ts';

/** Blocks whose transactions are listed by time. */
export interface TimeBounds {
  readonly visible: VisibleRange;
  /** Null: all blocks that the filters allow. */
  readonly window: TimeWindow | null;
}

/** The transactions of a window in the order of time. */
export function planByTime(
  database: string,
  filter: TransactionFilter,
  page: Page,
  { visible, window }: TimeBounds,
): Statement {
  const conditions = transactionConditions(filter, visible).bind({ limit: page.limit, offset: page.offset });
  if (filter.message) addMessageKeys(conditions, database, filter.message, visible);
  if (window) {
    conditions
      .add('now >= {window_start:UInt32}', { window_start: window.startUtime })
      .add('now <= {window_end:UInt32}', { window_end: window.endUtime })
      .add('lt >= {window_start_lt:UInt64}', { window_start_lt: window.startLt })
      .add('lt <= {window_end_lt:UInt64}', { window_end_lt: window.endLt });
  }
  const dir = direction(page);
  return conditions.statement(
    `SELECT ${TRANSACTION_SELECT} FROM ${database}.${PACKED_TABLE} WHERE ${conditions.text}` +
      ` ORDER BY now ${dir}, lt ${dir}${TIES} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}
