import type { BASE_TABLES } from '../../../tables/base-tables.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import {
  TRANSACTION_HEAD as HEAD,
  HEAD_BYTES,
  TRANSACTION_PACKS,
  transactionDetails,
} from '../../../tables/transaction-targets.ts';
import type { PackedMessage } from '../../../ton/columns/message-pack.ts';
import type { PackedStates } from '../../../ton/columns/packed-state.ts';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import { type PackedTransactions, packedTransactions } from '../../compat/packed-transactions.ts';
import type { SelectedRow } from '../../query/select-list.ts';
import { sql, unsafeSql, versionedSql } from '../../query/sql.ts';
import type { ServedTables } from '../../served-tables.ts';
import { readPayload, type TransactionPack } from './payload.ts';

type Columns = SelectedRow<typeof BASE_TABLES.transactions>;

/** Columns of the packed value with their own form (src/tables/transaction-targets.ts). */
const PACKED: readonly string[] = [...HEAD.sized, ...TRANSACTION_PACKS];

/** Columns in the details of this release. */
const DETAILS = transactionDetails();

/**
 * A transaction for both APIs: the columns by name (hashes base64, `account` upper-case hex, `shard`, lt and amounts
 * decimal text), its messages unpacked, the incoming one first, and the states around it.
 */
export interface TransactionRow extends Omit<Columns, 'messages' | 'states' | 'split_info'> {
  readonly messages: readonly PackedMessage[];
  readonly states: PackedStates;
  /** SplitMergeInfo, 66 bytes, or null. */
  readonly split_info: Uint8Array | null;
}

/** The SELECT list of transactions, for `PACKED_TABLE` and `account_transactions` alike. */
export const TRANSACTION_SELECT = versionedSql(() => 'payload');

/** The list for rows that need only the fixed part of the packed value (payload.ts). */
export const TRANSACTION_HEAD = sql`substring(${TRANSACTION_SELECT}, 1, ${unsafeSql(String(HEAD_BYTES))})`;

/** Reads the rows of TRANSACTION_SELECT in RowBinary. A column that the version has not is null. */
export function transactionRows(bytes: Buffer, tables: ServedTables | null): TransactionRow[] {
  return unpackTransactions(packedValues(bytes), tables);
}

/** The packed values of TRANSACTION_SELECT in RowBinary. Views. */
export function packedValues(bytes: Buffer): Buffer[] {
  const values: Buffer[] = [];
  for (const reader = new RowBinary(bytes); reader.more; ) values.push(reader.string());
  return values;
}

/** The rows of packed values, as `transactionRows`. */
export function unpackTransactions(values: readonly Buffer[], tables: ServedTables | null): TransactionRow[] {
  return values.map(unpacker(tables));
}

/** Reads a packed value of a version's tables. */
export function unpacker(tables: ServedTables | null): (value: Buffer) => TransactionRow {
  const packed = packedTransactions(tables);
  const fields = getFields(packed);
  return (value) => transactionRow(readPayload(value, packed.readDetails), fields);
}

/** How the details of a version fill a row. */
interface Fields {
  /**
   * A row before it is filled: an object that starts with all its fields keeps one shape (measured: a tenth less work).
   */
  readonly none: Readonly<Record<string, unknown>>;
  /** Names of the details; of one that this release does not know, null. */
  readonly details: readonly (string | null)[];
}

const FIELDS = new WeakMap<PackedTransactions, Fields>();

function getFields(packed: PackedTransactions): Fields {
  const known = FIELDS.get(packed);
  if (known) return known;
  const none = Object.fromEntries(
    [...PACKED, ...DETAILS].map((name) => [
      name,
      PACKED.includes(name) || packed.details.includes(name) ? 0 : null,
    ]),
  );
  const names = new Set<string>(DETAILS);
  const made = {
    // Parsed, it has the shape that spreads copy fastest.
    none: JSON.parse(JSON.stringify(none)) as Record<string, unknown>,
    details: packed.details.map((name) => (names.has(name) ? name : null)),
  };
  FIELDS.set(packed, made);
  return made;
}

function transactionRow(
  { details, ...row }: TransactionPack,
  { none, details: names }: Fields,
): TransactionRow {
  const fields: Record<string, unknown> = Object.assign({ ...none }, row);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name) fields[name] = details[i];
  }
  fields.split_info = fields.split_info ? splitInfo(fields.split_info as string) : null;
  return fields as unknown as TransactionRow;
}

function splitInfo(base64: string): Uint8Array {
  const bytes = fromBase64(base64);
  if (!bytes) throw new TypeError(`base64 expected from the store, found ${JSON.stringify(base64)}`);
  return bytes;
}
