import type { PackedMessage } from '../../ton/columns/message-pack.ts';
import type { PackedStates } from '../../ton/columns/packed-state.ts';
import { BASE_TABLES } from '../../ton/columns/tables.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { readAnswer } from './answer-pack.ts';
import { RowBinary } from './row-binary.ts';
import type { RowOf } from './select-list.ts';

type Columns = RowOf<typeof BASE_TABLES.transactions>;
type ColumnName = keyof Columns & string;

/** The columns that stand in `answer` in a form of their own (answer-pack.ts). */
const PACKED = [
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
  'states',
] as const satisfies readonly ColumnName[];

const ALL = Object.keys(BASE_TABLES.transactions) as ColumnName[];

/**
 * The columns that stand in the details of `answer`, in its order: all others, in the order of tables.ts
 * (clickhouse/base/0007_transactions.sql).
 */
export const DETAILS: readonly ColumnName[] = ALL.filter(
  (name) => !(PACKED as readonly ColumnName[]).includes(name),
);

/**
 * A transaction as both APIs need it: the columns by name (hashes base64, `account` upper-case hex, `shard`, lt and
 * amounts decimal text), its messages unpacked, the incoming one first, and the states around it.
 */
export interface TransactionRow extends Omit<Columns, 'messages' | 'states' | 'split_info'> {
  readonly messages: readonly PackedMessage[];
  readonly states: PackedStates;
  /** SplitMergeInfo, 66 bytes (tables.ts), or null. */
  readonly split_info: Uint8Array | null;
}

/** The SELECT list of transactions, for `transactions` and `account_transactions` alike. */
export const TRANSACTION_SELECT = 'answer';

/** Reads the rows of TRANSACTION_SELECT in RowBinary. */
export function transactionRows(bytes: Buffer): TransactionRow[] {
  const rows: TransactionRow[] = [];
  for (const reader = new RowBinary(bytes); reader.more; ) rows.push(transactionRow(reader.string()));
  return rows;
}

/** A row before it is filled: what starts with all its fields stays an object of one shape (measured: a tenth less work). */
const NO_FIELDS = JSON.parse(
  JSON.stringify(Object.fromEntries([...PACKED, ...DETAILS].map((name) => [name, 0]))),
) as Record<string, unknown>;

function transactionRow(value: Buffer): TransactionRow {
  const { details, ...row } = readAnswer(value);
  const fields = Object.assign({ ...NO_FIELDS }, row);
  for (let i = 0; i < DETAILS.length; i++) fields[DETAILS[i] as string] = details[i];
  fields.split_info = fields.split_info === '' ? null : splitInfo(fields.split_info as string);
  return fields as unknown as TransactionRow;
}

function splitInfo(base64: string): Uint8Array {
  const bytes = fromBase64(base64);
  if (!bytes) throw new TypeError(`base64 expected from the store, found ${JSON.stringify(base64)}`);
  return bytes;
}
