import { PACKED_TABLE } from '../../compat/packed-transactions.ts';
import { type Page, toLimit } from '../../query/page.ts';
import { and, identifier, type Sql, sql, u32, u64 } from '../../query/sql.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { TimeWindow } from '../blocks/time-window.ts';
import { isAtMessage } from '../messages/ends.ts';
import { passes } from './conditions.ts';
import type { TransactionFilter } from './filter.ts';
import { TRANSACTION_SELECT } from './model.ts';
import { BY_TIME, isOnPage } from './order.ts';

/** Blocks whose transactions are listed by time. */
export interface TimeBounds {
  readonly visible: VisibleRange;
  /** Null: all blocks that the filters allow. */
  readonly window: TimeWindow | null;
}

/** A window with more than so many times the transactions of a page is narrowed by lt before payloads are read. */
const LONG = 2;

/** The transactions of a window in the order of time. */
export function planByTime(
  database: string,
  filter: TransactionFilter,
  page: Page,
  { visible, window }: TimeBounds,
): Sql {
  const own = and(
    passes(filter, visible),
    filter.message && isAtMessage(database, filter.message, visible),
    window && isInWindow(window),
  );
  const isLong = window !== null && window.transactions > LONG * (page.limit + page.offset);
  const where = and(isLong && isNearPage(database, page, own), own);
  return sql`SELECT ${TRANSACTION_SELECT} FROM ${identifier(database, PACKED_TABLE)} WHERE ${where} ORDER BY ${BY_TIME.by(page.descending)} ${toLimit(page)}`;
}

/** The lts of a page's keys, read from the table of columns: the payloads of the other rows are not read. */
function isNearPage(database: string, page: Page, own: Sql): Sql {
  const columns = identifier(database, 'transactions');
  const keys = sql`SELECT lt FROM ${columns} PREWHERE ${own} ORDER BY ${BY_TIME.by(page.descending)} LIMIT ${u32(page.limit)} + ${u32(page.offset)}`;
  return isOnPage(page, keys);
}

function isInWindow({ startUtime, endUtime, startLt, endLt }: TimeWindow): Sql {
  return sql`now >= ${u32(startUtime)} AND now <= ${u32(endUtime)} AND lt >= ${u64(startLt)} AND lt <= ${u64(endLt)}`;
}
