import { type PackedMessage, unpackMessages } from '../../../ton/columns/message-pack.ts';
import type { PackedStates } from '../../../ton/columns/packed-state.ts';
import { unpackStates } from '../../../ton/columns/state-unpack.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { UnknownLayoutError } from '../../query/unknown-layout.ts';

/*
 * The packed column of `transactions` and `account_transactions`, as their view makes it
 * (clickhouse/base/0007_transactions.sql): all that an answer says of a transaction in one byte string, since
 * each further column of a short read costs as much as its bytes. Column `payload` begins with the number of its layout,
 * one byte. Integers are little endian:
 *   hash 32, prev_trans_hash 32, state_hash_before 32, state_hash_after 32, account 32, lt u64, prev_trans_lt u64,
 *   shard u64, mc_seqno u32, seqno u32, now u32, workchain i32, u32 length and `details` (a row of RowBinary), u32 length and `states` (src/ton/columns/state-pack.ts), `messages` (src/ton/columns/message-pack.ts).
 */

/** The fixed part and the packs of a transaction: hashes base64, `account` upper-case hex, u64 as decimal text. */
export interface TransactionPack {
  readonly hash: string;
  readonly prev_trans_hash: string;
  readonly state_hash_before: string;
  readonly state_hash_after: string;
  readonly account: string;
  readonly lt: string;
  readonly prev_trans_lt: string;
  readonly shard: string;
  readonly mc_seqno: number;
  readonly seqno: number;
  readonly now: number;
  readonly workchain: number;
  readonly details: readonly unknown[];
  readonly states: PackedStates;
  /** The incoming one first, if any, then the outgoing ones by index. */
  readonly messages: readonly PackedMessage[];
}

/** Fields that bound and order a transaction among others. */
export interface TransactionOrder extends Pick<TransactionPack, 'mc_seqno' | 'workchain' | 'account'> {
  readonly lt: bigint;
}

/** The layout of `payload`. */
const LAYOUT = 3;
const FIXED = 200;

/** Values of the details, in the order of the version's columns. */
export type ReadDetails = (bytes: Buffer) => readonly unknown[];

/**
 * Reads one value of the column `payload`, its details by the types of the version's columns. Throws
 * `UnknownLayoutError`, and RangeError where its bytes end early.
 */
export function readPayload(bytes: Buffer, details: ReadDetails): TransactionPack {
  return readPack(withoutLayout(bytes), details);
}

/** @throws UnknownLayoutError */
function withoutLayout(bytes: Buffer): Buffer {
  if (bytes[0] !== LAYOUT) throw new UnknownLayoutError(`payload of layout ${bytes[0]}, not ${LAYOUT}`);
  return bytes.subarray(1);
}

/** Reads only the position of one value of the column `payload`. Throws like `readPayload`. */
export function orderOfPayload(bytes: Buffer): TransactionOrder {
  const pack = withoutLayout(bytes);
  return {
    lt: pack.readBigUInt64LE(160),
    mc_seqno: pack.readUInt32LE(184),
    workchain: pack.readInt32LE(196),
    account: accountIn(pack),
  };
}

function accountIn(bytes: Buffer): string {
  return bytes.toString('hex', 128, 160).toUpperCase();
}

/** The head of a packed value: its layout's number and the fixed part. */
export const HEAD_BYTES = 1 + FIXED;

/** Missing fields of a value that was cut after its fixed part. */
const NOT_READ = { details: [], states: { before: null, after: null }, messages: [] } as const;

function readPack(bytes: Buffer, readDetails: ReadDetails): TransactionPack {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    ...readHead(bytes, view),
    ...(bytes.length > HEAD_BYTES ? readRest(bytes, view, readDetails) : NOT_READ),
  };
}

function readHead(bytes: Buffer, view: DataView) {
  return {
    hash: toBase64(bytes.subarray(0, 32)),
    prev_trans_hash: toBase64(bytes.subarray(32, 64)),
    state_hash_before: toBase64(bytes.subarray(64, 96)),
    state_hash_after: toBase64(bytes.subarray(96, 128)),
    account: accountIn(bytes),
    lt: `${view.getBigUint64(160, true)}`,
    prev_trans_lt: `${view.getBigUint64(168, true)}`,
    shard: `${view.getBigUint64(176, true)}`,
    mc_seqno: view.getUint32(184, true),
    seqno: view.getUint32(188, true),
    now: view.getUint32(192, true),
    workchain: view.getInt32(196, true),
  };
}

function readRest(bytes: Buffer, view: DataView, readDetails: ReadDetails) {
  const details = part(view, FIXED);
  const states = part(view, details.end);
  return {
    details: readDetails(bytes.subarray(details.start, details.end)),
    states: unpackStates(bytes.subarray(states.start, states.end)),
    messages: unpackMessages(bytes.subarray(states.end)),
  };
}

/** Bytes after a u32 of their length. */
function part(view: DataView, at: number): { readonly start: number; readonly end: number } {
  const start = at + 4;
  return { start, end: start + view.getUint32(at, true) };
}
