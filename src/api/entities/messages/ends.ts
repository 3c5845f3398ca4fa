import { and, identifier, type Sql, sql } from '../../query/sql.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { passes } from './conditions.ts';
import type { MessageFilter } from './filter.ts';
import { messageSource } from './paths.ts';

/** Condition: a transaction is at an end of a message that passes a filter without bounds of time or lt. */
export function isAtMessage(database: string, filter: MessageFilter, visible: VisibleRange): Sql {
  const { path, table, where } = messageSource(database, filter, visible);
  // The index finds the messages; only their rows know the other filters and the transactions.
  const found = sql`(created_lt, hash8) IN (SELECT created_lt, hash8 FROM ${table} WHERE ${where})`;
  const own = path === 'hash' ? where : and(found, passes(filter, visible));
  return sql`(lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain FROM ${identifier(database, 'messages')} WHERE ${own})`;
}
