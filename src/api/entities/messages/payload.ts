import type { CurrencyEntries } from '../../../ton/columns/column-type.ts';
import type { PackedAddress, PackedMessage } from '../../../ton/columns/message-pack.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { versionedText } from '../../query/fill-selects.ts';
import { RowBinary } from '../../query/row-binary.ts';
import { UnknownLayoutError } from '../../query/unknown-layout.ts';

/*
 * The packed column `payload` of `messages`, as its view makes it (clickhouse/base/0010_messages.sql): one side of a
 * message in one byte string, since each further column of a short read costs as much as its bytes. It begins with the
 * layout number, one byte. Then come MESSAGE_FIELDS as a row of RowBinary, fixed sizes first, at the positions of the
 * table's aliases. Body and init follow; their lengths are among the fields.
 */

const LAYOUT = 1;

/** Values in their order: the column, and the expression over it that is written. Default: the column. */
export const MESSAGE_FIELDS: readonly (readonly [column: string, expression?: string])[] = [
  ['mc_seqno'],
  ['side'],
  ['kind'],
  ['created_lt'],
  ['created_at'],
  ['hash'],
  ['tx_hash'],
  ['source_kind'],
  ['source_workchain'],
  ['source'],
  ['destination_kind'],
  ['destination_workchain'],
  ['destination'],
  ['value'],
  ['fwd_fee'],
  ['ihr_fee'],
  ['import_fee'],
  ['ihr_disabled'],
  ['bounce'],
  ['bounced'],
  ['body_hash'],
  ['init_hash'],
  ['opcode', 'isNull(opcode)'],
  ['opcode', 'ifNull(opcode, toUInt32(0))'],
  ['extra_flags', 'isNull(extra_flags)'],
  ['extra_flags', 'ifNull(extra_flags, toUInt128(0))'],
  ['body', 'toUInt32(length(body))'],
  ['init', 'toUInt32(length(init))'],
  // For other messages it is their hash.
  ['hash_norm', `if(kind = 'ext_in', substring(hash_norm, 1, 32), '')`],
  ['value_extra'],
];

/** The payload as an expression over the columns of `land_messages`. */
export function messagePayloadSql(separator = ', '): string {
  const fields = MESSAGE_FIELDS.map(([column, expression = column]) => expression).join(separator);
  return `concat(char(${LAYOUT}), formatRow('RowBinary', ${fields}), body, init)`;
}

/** The SELECT list of one side of a message. */
export const MESSAGE_SELECT = versionedText('messages', () => 'payload');

/** Positions in a payload, from 1: the length of the body, then of the init, and the following data. */
const BODY_LENGTH = 311;
const INIT_LENGTH = BODY_LENGTH + 4;
const BEHIND_LENGTHS = INIT_LENGTH + 4;

/** MESSAGE_SELECT without body and init, which read as empty: they are most of a payload. */
export const MESSAGE_HEAD = buildHead();

function buildHead(): string {
  const length = (at: number) => `reinterpretAsUInt32(substring(payload, ${at}, 4))`;
  const left = `length(payload) - ${BEHIND_LENGTHS - 1} - ${length(BODY_LENGTH)} - ${length(INIT_LENGTH)}`;
  const none = 'char(0, 0, 0, 0, 0, 0, 0, 0)';
  return `concat(substring(payload, 1, ${BODY_LENGTH - 1}), ${none}, substring(payload, ${BEHIND_LENGTHS}, ${left}))`;
}

/** One side of a message. */
export interface MessageRow {
  readonly mc_seqno: number;
  /** Hash (base64) of the transaction at this end. */
  readonly tx_hash: string;
  /** Its direction is the side. Extern and var addresses have lost their bits. */
  readonly message: PackedMessage;
}

/** Codes of the table's enums. */
const SIDES = ['out', 'in'] as const;
const KINDS = ['internal', 'ext_in', 'ext_out'] as const;
const ADDRESS_KINDS = ['none', 'extern', 'std', 'var'] as const;
const NO_BITS = new Uint8Array();

/** Reads one payload; hashes and BoCs are views. Throws `UnknownLayoutError`, and RangeError where its bytes end early. */
export function readMessagePayload(bytes: Buffer): MessageRow {
  const row = new RowBinary(bytes);
  const layout = row.u8();
  if (layout !== LAYOUT)
    throw new UnknownLayoutError(`payload of messages of layout ${layout}, not ${LAYOUT}`);
  const mc_seqno = row.u32();
  const ends = { direction: SIDES[row.u8()] as 'in' | 'out', kind: KINDS[row.u8()] as PackedMessage['kind'] };
  const born = { createdLt: row.u64(), createdAt: row.u32() };
  const hash = row.fixed(32);
  const tx_hash = toBase64(row.fixed(32));
  const parties = { source: readAddress(row), destination: readAddress(row) };
  const amounts = {
    value: row.bigint(16),
    fwdFee: row.bigint(16),
    ihrFee: row.bigint(16),
    importFee: row.bigint(16),
  };
  const flags = { ihrDisabled: row.u8() !== 0, bounce: row.u8() !== 0, bounced: row.u8() !== 0 };
  const bodyHash = row.fixed(32);
  const initHash = row.fixed(32);
  const rare = { opcode: orNull(row, () => row.u32()), extraFlags: orNull(row, () => row.bigint(16)) };
  const lengths = { body: row.u32(), init: row.u32() };
  const norm = row.string();
  const valueExtra = readCurrencies(row);
  const body = row.fixed(lengths.body);
  const init = row.fixed(lengths.init);
  if (init.length < lengths.init) throw new RangeError('the payload of a message ends early');
  const withInit = lengths.init > 0 ? { initHash, init } : { initHash: null, init: null };
  const hashes = { hash, hashNorm: norm.length > 0 ? norm : hash, bodyHash };
  return {
    mc_seqno,
    tx_hash,
    message: {
      ...ends,
      ...hashes,
      ...born,
      ...parties,
      ...amounts,
      valueExtra,
      ...rare,
      ...flags,
      body,
      ...withInit,
    },
  };
}

/** The rows of MESSAGE_SELECT in RowBinary. */
export function messageRows(bytes: Buffer): MessageRow[] {
  const rows: MessageRow[] = [];
  for (const reader = new RowBinary(bytes); reader.more; ) rows.push(readMessagePayload(reader.string()));
  return rows;
}

function readAddress(row: RowBinary): PackedAddress {
  const kind = ADDRESS_KINDS[row.u8()] as PackedAddress['kind'];
  const workchain = row.i32();
  const hash = row.fixed(32);
  if (kind === 'std') return { kind, workchain, hash };
  if (kind === 'var') return { kind, workchain, bits: NO_BITS, bitLength: 0 };
  return kind === 'extern' ? { kind, bits: NO_BITS, bitLength: 0 } : { kind };
}

/** The value is present in either case. */
function orNull<T>(row: RowBinary, read: () => T): T | null {
  const isNull = row.u8() !== 0;
  const value = read();
  return isNull ? null : value;
}

function readCurrencies(row: RowBinary): CurrencyEntries {
  return Array.from({ length: row.length() }, () => [row.u32(), row.bigint(32)] as const);
}
