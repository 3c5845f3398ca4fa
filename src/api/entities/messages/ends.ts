import type { Conditions } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { messageConditions } from './conditions.ts';
import type { MessageFilter } from './filter.ts';
import { messageSource } from './paths.ts';

/** Leaves the transactions at the ends of messages that pass a filter without bounds of time or lt. */
export function addMessageKeys(
  conditions: Conditions,
  database: string,
  filter: MessageFilter,
  visible: VisibleRange,
): void {
  const rows = messageConditions(filter, visible);
  const { path, table, conditions: index } = messageSource(database, filter, visible);
  if (path === 'hash') {
    conditions.bind(index.params).add(keyIs(database, index.text));
    return;
  }
  // The index finds the messages; only their rows know the other filters and the transactions.
  const found = `(created_lt, hash8) IN (SELECT created_lt, hash8 FROM ${table} WHERE ${index.text})`;
  conditions.bind(index.params).add(keyIs(database, `${found} AND ${rows.text}`), rows.params);
}

function keyIs(database: string, text: string): string {
  return `(lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain FROM ${database}.messages WHERE ${text})`;
}
