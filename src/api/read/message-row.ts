import type { PackedAddress, PackedMessage } from '../../ton/columns/message-pack.ts';
import { BASE_TABLES } from '../../ton/columns/tables.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { fromHex } from '../../ton/hash/hex.ts';
import { ZERO_HASH } from './none-account.ts';
import type { RawRow } from './read-scope.ts';
import { type Columns, type RowOf, selectList } from './select-list.ts';

export const MESSAGE_LIST = selectList(BASE_TABLES.messages, ['listed']);

/** One side of a message: columns of `messages` by name; hashes and BoCs base64, account ids hex. */
export type MessageRow = Omit<RowOf<typeof BASE_TABLES.messages>, 'listed'>;

export const MESSAGE_SELECT = '{{messages}}';

/** Columns that only these fields of an answer need: all others are short. */
const WIDE: Readonly<Record<string, readonly string[]>> = {
  message_content: ['body_hash', 'body'],
  init_state: ['init_hash', 'init'],
};

/** The SELECT list for rows of which no more than these fields of an answer are needed. */
export function messageSelect(wants: (field: string) => boolean, served: Columns | undefined): string {
  const left = new Set(Object.keys(WIDE).flatMap((field) => (wants(field) ? [] : WIDE[field])));
  return MESSAGE_LIST.only(new Set(MESSAGE_LIST.columns.filter((name) => !left.has(name))), served);
}

/** Reads a row of MESSAGE_SELECT. */
export const messageRow: (values: RawRow) => MessageRow = MESSAGE_LIST.row;

/** The row in the form in which transactions carry their messages. Extern and var addresses lose their bits. */
export function packedMessage(row: MessageRow): PackedMessage {
  const withInit = row.init_hash !== ZERO_HASH;
  return {
    direction: row.side,
    kind: row.kind,
    hash: bytes(row.hash),
    hashNorm: bytes(row.hash_norm),
    createdLt: BigInt(row.created_lt),
    createdAt: row.created_at,
    source: address(row.source_kind, row.source_workchain, row.source),
    destination: address(row.destination_kind, row.destination_workchain, row.destination),
    value: BigInt(row.value),
    valueExtra: Object.entries(row.value_extra).map(([id, amount]) => [Number(id), BigInt(amount)] as const),
    fwdFee: BigInt(row.fwd_fee),
    ihrFee: BigInt(row.ihr_fee),
    importFee: BigInt(row.import_fee),
    extraFlags: row.extra_flags === null ? null : BigInt(row.extra_flags),
    ihrDisabled: row.ihr_disabled,
    bounce: row.bounce,
    bounced: row.bounced,
    opcode: row.opcode,
    bodyHash: bytes(row.body_hash),
    body: bytes(row.body),
    initHash: withInit ? bytes(row.init_hash) : null,
    init: withInit ? bytes(row.init) : null,
  };
}

const NO_BITS = new Uint8Array();

function address(kind: MessageRow['source_kind'], workchain: number, hash: string): PackedAddress {
  if (kind === 'std') return { kind, workchain, hash: fromHex(hash) ?? NO_BITS };
  if (kind === 'var') return { kind, workchain, bits: NO_BITS, bitLength: 0 };
  return kind === 'extern' ? { kind, bits: NO_BITS, bitLength: 0 } : { kind };
}

function bytes(base64: string): Uint8Array {
  const found = fromBase64(base64);
  if (!found)
    throw new TypeError(`base64 expected from the store, found ${JSON.stringify(base64.slice(0, 40))}`);
  return found;
}
