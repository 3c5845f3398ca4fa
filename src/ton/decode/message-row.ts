import type { BaseColumns } from '../columns/base-columns.ts';
import type { PackedAddress, PackedMessage } from '../columns/message-pack.ts';
import { MESSAGE_CODES } from './enum-codes.ts';

/** The transaction that sent (side `out`) or received (side `in`) a message. */
export interface MessageOwner {
  readonly mcSeqno: number;
  readonly workchain: number;
  readonly account: Uint8Array;
  readonly lt: bigint;
  readonly hash: Uint8Array;
  /** Time of the transaction, Unix seconds. */
  readonly now: number;
  /** Messages created below were sent before the index begins. */
  readonly indexedFromLt: bigint;
}

type Columns = BaseColumns['tables']['messages']['col'];

const NO_HASH = new Uint8Array(32);
const NO_BYTES = new Uint8Array(0);

/** Writes one row of `messages`. */
export function writeMessageRow(columns: BaseColumns, owner: MessageOwner, message: PackedMessage): void {
  const { col } = columns.tables.messages;
  col.mc_seqno.push(owner.mcSeqno);
  col.side.push(MESSAGE_CODES.side[message.direction]);
  col.kind.push(MESSAGE_CODES.kind[message.kind]);
  col.hash.push(message.hash);
  col.hash_norm.push(message.hashNorm);
  col.created_lt.push(message.createdLt);
  col.created_at.push(message.createdAt);
  writeAddresses(col, message);
  writeAmounts(col, message);
  col.ihr_disabled.push(message.ihrDisabled);
  col.bounce.push(message.bounce);
  col.bounced.push(message.bounced);
  col.opcode.push(message.opcode);
  col.body_hash.push(message.bodyHash);
  col.body.push(message.body);
  col.init_hash.push(message.initHash ?? NO_HASH);
  col.init.push(message.init ?? NO_BYTES);
  col.tx_workchain.push(owner.workchain);
  col.tx_account.push(owner.account);
  col.tx_lt.push(owner.lt);
  col.tx_hash.push(owner.hash);
  col.tx_now.push(owner.now);
  col.listed.push(isListed(owner, message));
  columns.tables.messages.endRow();
}

/** Not the receiver's side of what a transaction of the index sent: its sender's side is. */
function isListed({ indexedFromLt }: MessageOwner, message: PackedMessage): boolean {
  const { direction, kind, createdLt, source } = message;
  return direction === 'out' || kind !== 'internal' || createdLt < indexedFromLt || isSystem(source);
}

/** The zero address of the masterchain, which new coins and recovered fees come from: no transaction sends them. */
function isSystem(source: PackedAddress): boolean {
  return source.kind === 'std' && source.workchain === -1 && source.hash.every((byte) => byte === 0);
}

function writeAddresses(col: Columns, { source, destination }: PackedMessage): void {
  col.source_kind.push(MESSAGE_CODES.source_kind[source.kind]);
  col.source_workchain.push(getWorkchain(source));
  col.source.push(getAccount(source));
  col.destination_kind.push(MESSAGE_CODES.destination_kind[destination.kind]);
  col.destination_workchain.push(getWorkchain(destination));
  col.destination.push(getAccount(destination));
}

function writeAmounts(col: Columns, message: PackedMessage): void {
  col.value.push(message.value);
  col.value_extra.push(message.valueExtra);
  col.fwd_fee.push(message.fwdFee);
  col.ihr_fee.push(message.ihrFee);
  col.import_fee.push(message.importFee);
  col.extra_flags.push(message.extraFlags);
}

function getWorkchain(address: PackedAddress): number {
  return address.kind === 'std' || address.kind === 'var' ? address.workchain : 0;
}

/** 32 bytes: zeros for no address and external ones; the first 256 bits of a variable one, padded with zeros. */
function getAccount(address: PackedAddress): Uint8Array {
  if (address.kind === 'std') return address.hash;
  if (address.kind !== 'var') return NO_HASH;
  const padded = new Uint8Array(32);
  padded.set(address.bits.subarray(0, 32));
  return padded;
}
