import { type PackedMessage, unpackMessages } from '../../../ton/columns/message-pack.ts';
import { BASE_TABLES } from '../../../ton/columns/tables.ts';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import type { RawRow } from './read-scope.ts';
import { type RowOf, selectList } from './select-list.ts';

type Columns = RowOf<typeof BASE_TABLES.transactions>;
type ColumnName = keyof Columns & string;

/** The columns that both tables of transactions have as such: keys, filters, and what leads to states. */
const KEYS = [
  'mc_seqno',
  'workchain',
  'shard',
  'seqno',
  'account',
  'lt',
  'hash',
  'prev_trans_hash',
  'prev_trans_lt',
  'now',
  'state_hash_before',
  'state_hash_after',
  'messages',
] as const satisfies readonly ColumnName[];

const ALL = Object.keys(BASE_TABLES.transactions) as ColumnName[];

/**
 * The columns that stand in `details`, in its order: all others, in the order of tables.ts
 * (clickhouse/migrations/base/0007_transactions.sql).
 */
export const DETAILS: readonly ColumnName[] = ALL.filter(
  (name) => !(KEYS as readonly ColumnName[]).includes(name),
);

const LIST = selectList(BASE_TABLES.transactions, DETAILS);

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
export const TRANSACTION_SELECT: string = `${LIST.sql}, details`;

/** Reads a row of TRANSACTION_SELECT. */
export function transactionRow(values: RawRow): TransactionRow {
  const row: Record<string, unknown> = LIST.row(values);
  const details = JSON.parse(values[LIST.columns.length] as string) as unknown[];
  for (let i = 0; i < DETAILS.length; i++) row[DETAILS[i] as string] = details[i];
  row.messages = unpackMessages(bytesOf(row.messages as string));
  row.split_info = row.split_info === '' ? null : bytesOf(row.split_info as string);
  return row as unknown as TransactionRow;
}

function bytesOf(base64: string): Uint8Array {
  const bytes = fromBase64(base64);
  if (!bytes)
    throw new TypeError(`base64 expected from the store, found ${JSON.stringify(base64.slice(0, 40))}`);
  return bytes;
}
