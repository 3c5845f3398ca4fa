/**
 * Messages of one transaction in one byte string: column `transactions.messages`. A page of transactions is then one
 * read.
 *
 * Version 1, after the version byte: u16 message count, then the messages, the incoming one (if any) first and the
 * outgoing ones by index. A message, all integers little endian:
 *   flags u16 (bits below), hash 32, hash_norm 32 (if HAS_HASH_NORM), created_lt u64, created_at u32,
 *   source, destination (address: kind is in the flags),
 *   value, fwd_fee, ihr_fee, import_fee, extra_flags (if HAS_EXTRA_FLAGS) as amounts,
 *   extra currencies (if HAS_VALUE_EXTRA): u16 count, then u32 id and amount each,
 *   opcode u32 (if HAS_OPCODE), body_hash 32, body (u32 length, bytes), init_hash 32 and init (if HAS_INIT). Address:
 *   none: nothing; std: i32 workchain, 32 bytes; extern: u16 bits, bytes; var: i32 workchain, u16 bits, bytes. Amount:
 *   u8 length, then that many bytes, least significant first.
 */
import { GrowableBytes } from './growable-bytes.ts';
import { writeAmount, writeBytes, writeCurrencies, writeU16, writeU32 } from './pack-writer.ts';
import {
  ADDRESS_KINDS,
  BOUNCE,
  BOUNCED,
  DIRECTIONS,
  HAS_EXTRA_FLAGS,
  HAS_HASH_NORM,
  HAS_INIT,
  HAS_OPCODE,
  HAS_VALUE_EXTRA,
  IHR_DISABLED,
  KINDS,
  MESSAGE_PACK_VERSION,
  type PackedAddress,
  type PackedMessage,
} from './packed-message.ts';

export { unpackMessages } from './message-unpack.ts';
export {
  MESSAGE_PACK_VERSION,
  MessagePackError,
  type PackedAddress,
  type PackedMessage,
} from './packed-message.ts';

/** Every pack is made here and copied out: its size is not known before. */
const SCRATCH = new GrowableBytes(4096);

/** Packs a transaction's messages: the incoming one first, then the outgoing ones by index. */
export function packMessages(messages: readonly PackedMessage[]): Uint8Array {
  const out = SCRATCH;
  out.length = 0;
  const at = out.grow(3);
  out.bytes[at] = MESSAGE_PACK_VERSION;
  out.view.setUint16(at + 1, messages.length, true);
  for (const message of messages) writeMessage(out, message);
  return out.bytes.slice(0, out.length);
}

function writeMessage(out: GrowableBytes, message: PackedMessage): void {
  const flags = getFlags(message);
  writeU16(out, flags);
  writeBytes(out, message.hash);
  if (flags & HAS_HASH_NORM) writeBytes(out, message.hashNorm);
  const lt = out.grow(12);
  out.view.setBigUint64(lt, message.createdLt, true);
  out.view.setUint32(lt + 8, message.createdAt, true);
  writeAddress(out, message.source);
  writeAddress(out, message.destination);
  writeAmount(out, message.value);
  writeAmount(out, message.fwdFee);
  writeAmount(out, message.ihrFee);
  writeAmount(out, message.importFee);
  if (message.extraFlags !== null) writeAmount(out, message.extraFlags);
  if (flags & HAS_VALUE_EXTRA) writeCurrencies(out, message.valueExtra);
  if (message.opcode !== null) writeU32(out, message.opcode);
  writeBytes(out, message.bodyHash);
  writeBlob(out, message.body);
  if (message.initHash && message.init) {
    writeBytes(out, message.initHash);
    writeBlob(out, message.init);
  }
}

function getFlags(message: PackedMessage): number {
  let flags = DIRECTIONS.indexOf(message.direction);
  flags |= KINDS.indexOf(message.kind) << 1;
  flags |= ADDRESS_KINDS.indexOf(message.source.kind) << 3;
  flags |= ADDRESS_KINDS.indexOf(message.destination.kind) << 5;
  if (message.ihrDisabled) flags |= IHR_DISABLED;
  if (message.bounce) flags |= BOUNCE;
  if (message.bounced) flags |= BOUNCED;
  if (!equalBytes(message.hash, message.hashNorm)) flags |= HAS_HASH_NORM;
  if (message.extraFlags !== null) flags |= HAS_EXTRA_FLAGS;
  if (message.valueExtra.length > 0) flags |= HAS_VALUE_EXTRA;
  if (message.opcode !== null) flags |= HAS_OPCODE;
  if (message.initHash && message.init) flags |= HAS_INIT;
  return flags;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((byte, index) => byte === b[index]));
}

function writeBlob(out: GrowableBytes, bytes: Uint8Array): void {
  writeU32(out, bytes.length);
  writeBytes(out, bytes);
}

function writeAddress(out: GrowableBytes, address: PackedAddress): void {
  if (address.kind === 'none') return;
  if (address.kind !== 'extern') {
    const at = out.grow(4);
    out.view.setInt32(at, address.workchain, true);
  }
  if (address.kind === 'std') {
    writeBytes(out, address.hash);
  } else {
    writeU16(out, address.bitLength);
    writeBytes(out, address.bits);
  }
}
