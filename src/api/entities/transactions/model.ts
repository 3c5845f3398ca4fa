import type { PackedMessage } from '../../../ton/columns/message-pack.ts';
import type { PackedStates } from '../../../ton/columns/packed-state.ts';
import { BASE_TABLES } from '../../../ton/columns/tables.ts';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import { versionedText } from '../../query/fill-selects.ts';
import { RowBinary } from '../../query/row-binary.ts';
import type { SelectedRow } from '../../query/select-list.ts';
import { UnknownLayoutError } from '../../query/unknown-layout.ts';
import { byTables, type ServedTables } from '../../served-tables.ts';
import { detailsReader } from './details-reader.ts';
import {
  HEAD_BYTES,
  orderOfAnswer,
  orderOfPayload,
  readAnswer,
  readPayload,
  type TransactionOrder,
  type TransactionPack,
} from './payload.ts';

type Columns = SelectedRow<typeof BASE_TABLES.transactions>;
type ColumnName = keyof Columns & string;

/** Columns of the packed value with their own form (payload.ts). */
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
 * Columns in the details of the packed value, in order: all others, in the order of tables.ts
 * (clickhouse/base/0007_transactions.sql).
 */
export const DETAILS: readonly ColumnName[] = ALL.filter((name) => !isPacked(name));

function isPacked(name: string): boolean {
  return (PACKED as readonly string[]).includes(name);
}

/**
 * A transaction for both APIs: the columns by name (hashes base64, `account` upper-case hex, `shard`, lt and amounts
 * decimal text), its messages unpacked, the incoming one first, and the states around it.
 */
export interface TransactionRow extends Omit<Columns, 'messages' | 'states' | 'split_info'> {
  readonly messages: readonly PackedMessage[];
  readonly states: PackedStates;
  /** SplitMergeInfo, 66 bytes (tables.ts), or null. */
  readonly split_info: Uint8Array | null;
}

/** The SELECT list of transactions, for `PACKED_TABLE` and `account_transactions` alike. */
export const TRANSACTION_SELECT = versionedText(
  'transactions',
  (tables) => packedTransactions(tables).column,
);

/** The table with the packed values of transactions in the order of lt. */
export const PACKED_TABLE = versionedText(
  'packed_transactions',
  (tables) => packedTransactions(tables).table,
);

/** First 8 bytes of the hash in that table, as `hash8` (key-lists.ts) makes them. */
export const PACKED_HASH8 = versionedText('packed_hash8', (tables) => packedTransactions(tables).hash8);

/** The list for rows that need only the fixed part of the packed value (payload.ts). */
export const TRANSACTION_HEAD = `substring(${TRANSACTION_SELECT}, 1, ${HEAD_BYTES})`;

/** How a version holds the packed values of its transactions. */
export interface PackedTransactions {
  readonly column: 'payload' | 'answer';
  /** Their table in the order of lt. */
  readonly table: string;
  /** First 8 bytes of the hash there, a column or an expression. */
  readonly hash8: string;
  /** Columns in the details, in their order. */
  readonly details: readonly string[];
  readonly read: (bytes: Buffer) => TransactionPack;
  /** Returns the position of a value, without reading the rest of it. */
  readonly readOrder: (bytes: Buffer) => TransactionOrder;
}

/** Location of a version's packed values in lt order. */
type PackedPlace = Pick<PackedTransactions, 'table' | 'hash8'>;

const PAYLOADS: PackedPlace = { table: 'transaction_payloads', hash8: 'hash8' };
/** Before version 5 of `base` they were next to the columns. */
const BESIDE_COLUMNS: PackedPlace = {
  table: 'transactions',
  hash8: 'reinterpretAsUInt64(reverse(substring(hash, 1, 8)))',
};

/** The packed column of a version. Throws `UnknownLayoutError` if it has no known one. */
export const packedTransactions = byTables((tables): PackedTransactions => {
  if (!tables) return { ...PAYLOADS, ...packedIn('payload', BASE_TABLES.transactions) };
  const { land_transactions: landed = {} } = tables;
  const place = PAYLOADS.table in tables ? PAYLOADS : BESIDE_COLUMNS;
  const columns = tables[place.table] ?? {};
  const column = (['payload', 'answer'] as const).find((name) => name in columns);
  if (!column) throw new UnknownLayoutError('no packed column of transactions');
  return { ...place, ...packedIn(column, landed) };
});

/** `landed`: types by column; the view writes them in the order in which they land. */
function packedIn(
  column: PackedTransactions['column'],
  landed: Readonly<Record<string, string>>,
): Omit<PackedTransactions, keyof PackedPlace> {
  const details = Object.keys(landed).filter((name) => !isPacked(name));
  if (column === 'answer') return { column, details, read: readAnswer, readOrder: orderOfAnswer };
  const readDetails = detailsReader(details.map((name) => landed[name] as string));
  return { column, details, read: (bytes) => readPayload(bytes, readDetails), readOrder: orderOfPayload };
}

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
  return (value) => transactionRow(packed.read(value), fields);
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
    [...PACKED, ...DETAILS].map((name) => [name, isPacked(name) || packed.details.includes(name) ? 0 : null]),
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
