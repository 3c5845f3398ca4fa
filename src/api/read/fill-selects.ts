import { byTables, type ServedTables } from '../served-tables.ts';
import { ACCOUNT_STATE_LIST } from './account-state-row.ts';
import { actionList } from './action-row.ts';
import { BLOCK_LIST } from './block-row.ts';
import { messageList } from './message-payload.ts';
import { SHARD_LIST } from './shard-row.ts';
import { packedTransactions } from './transaction-row.ts';

const getLists = byTables(
  (tables): Readonly<Record<string, string>> => ({
    transactions: packedTransactions(tables).column,
    packed_transactions: packedTransactions(tables).table,
    packed_hash8: packedTransactions(tables).hash8,
    messages: messageList(tables?.messages),
    blocks: BLOCK_LIST.within(tables?.blocks),
    account_states: ACCOUNT_STATE_LIST.within(tables?.account_states),
    shards: SHARD_LIST.within(tables?.shards),
    actions: actionList(),
  }),
);

/**
 * Fills the SELECT lists that a statement names (`{{blocks}}`) for the read version: a missing column is NULL, or the
 * default of its type inside a packed value. The same for the table of packed transactions.
 */
export function fillSelects(sql: string, tables: ServedTables | null): string {
  return sql.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const list = getLists(tables)[name];
    if (list === undefined) throw new RangeError(`no SELECT list ${name}`);
    return list;
  });
}
