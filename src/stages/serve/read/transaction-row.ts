import { type PackedMessage, unpackMessages } from '../../../ton/columns/message-pack.ts';
import { BASE_TABLES } from '../../../ton/columns/tables.ts';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import type { RawRow } from './read-scope.ts';
import { type RowOf, selectList } from './select-list.ts';

const LIST = selectList(BASE_TABLES.transactions);

type Columns = RowOf<typeof BASE_TABLES.transactions>;

/**
 * A transaction as both APIs need it: the columns by name (hashes base64, `account` upper-case hex, `shard`, lt and
 * amounts decimal text), and its messages unpacked: the incoming one first, if any, then the outgoing ones by index.
 */
export interface TransactionRow extends Omit<Columns, 'messages' | 'split_info'> {
  readonly messages: readonly PackedMessage[];
  /** SplitMergeInfo, 66 bytes (tables.ts), or null. */
  readonly split_info: Uint8Array | null;
}

/** The SELECT list of transactions, for `transactions` and `account_transactions` alike. */
export const TRANSACTION_SELECT: string = LIST.sql;

/** Reads a row of TRANSACTION_SELECT. */
export function transactionRow(values: RawRow): TransactionRow {
  const columns = LIST.row(values);
  return {
    ...columns,
    messages: unpackMessages(bytesOf(columns.messages)),
    split_info: columns.split_info === '' ? null : bytesOf(columns.split_info),
  };
}

function bytesOf(base64: string): Uint8Array {
  const bytes = fromBase64(base64);
  if (!bytes)
    throw new TypeError(`base64 expected from the store, found ${JSON.stringify(base64.slice(0, 40))}`);
  return bytes;
}
