import { MESSAGE_PAYLOAD, MESSAGE_TYPES } from '../../../tables/messages.ts';
import { lengthPlace } from '../../../tables/packed.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import type { PackedAddress, PackedMessage } from '../../../ton/columns/message-pack.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { createPackedReader } from '../../query/packed-rows.ts';
import { type Sql, unsafeSql, versionedSql } from '../../query/sql.ts';

/** The SELECT list of one side of a message. */
export const MESSAGE_SELECT = versionedSql(() => 'payload');

/** MESSAGE_SELECT without body and init, which read as empty: they are most of a payload. */
export const MESSAGE_HEAD = buildHead();

function buildHead(): Sql {
  const at = (name: 'body' | 'init') => lengthPlace(MESSAGE_PAYLOAD, MESSAGE_TYPES, name);
  const length = (place: number) => `reinterpretAsUInt32(substring(payload, ${place + 1}, 4))`;
  const [body, init] = [at('body'), at('init')];
  const end = init + 4;
  const left = `length(payload) - ${end} - ${length(body)} - ${length(init)}`;
  const none = 'char(0, 0, 0, 0, 0, 0, 0, 0)';
  return unsafeSql(
    `concat(substring(payload, 1, ${body}), ${none}, substring(payload, ${end + 1}, ${left}))`,
  );
}

/** One side of a message. */
export interface MessageRow {
  readonly mc_seqno: number;
  /** Hash (base64) of the transaction at this end. */
  readonly tx_hash: string;
  /** Its direction is the side. Extern and var addresses have lost their bits. */
  readonly message: PackedMessage;
}

const NO_BITS = new Uint8Array();
const { open, field, tail } = createPackedReader(MESSAGE_PAYLOAD, MESSAGE_TYPES);

/** Reads one payload; hashes and BoCs are views. @throws UnknownLayoutError, and RangeError if the bytes end early */
export function readMessagePayload(bytes: Buffer): MessageRow {
  const row = open(bytes);
  const { strings, optional, maps } = tail(row);
  const { body, init } = strings;
  const hash = field.hash(row);
  const hasInit = init.length > 0;
  const message: PackedMessage = {
    direction: field.side(row),
    kind: field.kind(row),
    hash,
    hashNorm: optional ?? hash,
    bodyHash: field.body_hash(row),
    createdLt: field.created_lt(row),
    createdAt: field.created_at(row),
    source: buildAddress(field.source_kind(row), field.source_workchain(row), field.source(row)),
    destination: buildAddress(
      field.destination_kind(row),
      field.destination_workchain(row),
      field.destination(row),
    ),
    value: field.value(row),
    fwdFee: field.fwd_fee(row),
    ihrFee: field.ihr_fee(row),
    importFee: field.import_fee(row),
    valueExtra: maps[0] ?? [],
    opcode: field.opcode(row),
    extraFlags: field.extra_flags(row),
    ihrDisabled: field.ihr_disabled(row),
    bounce: field.bounce(row),
    bounced: field.bounced(row),
    body,
    initHash: hasInit ? field.init_hash(row) : null,
    init: hasInit ? init : null,
  };
  return { mc_seqno: field.mc_seqno(row), tx_hash: toBase64(field.tx_hash(row)), message };
}

/** The rows of MESSAGE_SELECT in RowBinary. */
export function messageRows(bytes: Buffer): MessageRow[] {
  const rows: MessageRow[] = [];
  for (const reader = new RowBinary(bytes); reader.more; ) rows.push(readMessagePayload(reader.string()));
  return rows;
}

function buildAddress(kind: PackedAddress['kind'], workchain: number, hash: Uint8Array): PackedAddress {
  if (kind === 'std') return { kind, workchain, hash };
  if (kind === 'var') return { kind, workchain, bits: NO_BITS, bitLength: 0 };
  return kind === 'extern' ? { kind, bits: NO_BITS, bitLength: 0 } : { kind };
}
