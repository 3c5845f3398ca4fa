/** A transaction's messages in one byte string; columns/message-pack.ts describes the format. */
import { SOURCE_KIND_EXTERN, SOURCE_KIND_NONE, SOURCE_KIND_STD } from '../../build/columns';
import { ADDRESS_ACCOUNT, ADDRESS_BITS, ADDRESS_RAW, ADDRESS_WORKCHAIN } from '../address';
import { ENTRIES, ENTRY } from '../currencies';
import {
  BAGS, M_BODY, M_BODY_HASH, M_BODY_SIZE, M_BOUNCE, M_BOUNCED, M_CREATED_LT, M_DESTINATION, M_ENTRIES, M_ENTRY_COUNT,
  M_EXTRA_FLAGS, M_FWD_FEE, M_HAS_EXTRA_FLAGS, M_HAS_INIT, M_HAS_OPCODE, M_HASH, M_HASH_NORM, M_IHR_DISABLED, M_IHR_FEE,
  M_IMPORT_FEE, M_INIT, M_INIT_HASH, M_INIT_SIZE, M_KIND, M_OPCODE, M_SOURCE, M_VALUE,
} from './message-record';
import { moveBytes } from '../move-bytes';
import { contradiction, copyHash, sameHash, VALUE } from '../refuse';

export const PACK_VERSION: u8 = 1;
const HAS_HASH_NORM: u32 = 1 << 10;
const HAS_EXTRA_FLAGS: u32 = 1 << 11;
const HAS_VALUE_EXTRA: u32 = 1 << 12;
const HAS_OPCODE: u32 = 1 << 13;
const HAS_INIT: u32 = 1 << 14;

/** The flags without the direction (bit 0). */
function flagsOf(from: usize): u32 {
  let flags = <u32>load<u8>(from, M_KIND) << 1;
  flags |= <u32>load<u8>(from + M_SOURCE) << 3;
  flags |= <u32>load<u8>(from + M_DESTINATION) << 5;
  flags |= <u32>load<u8>(from, M_IHR_DISABLED) << 7;
  flags |= <u32>load<u8>(from, M_BOUNCE) << 8;
  flags |= <u32>load<u8>(from, M_BOUNCED) << 9;
  if (!sameHash(from + M_HASH, from + M_HASH_NORM)) flags |= HAS_HASH_NORM;
  if (load<u8>(from, M_HAS_EXTRA_FLAGS) != 0) flags |= HAS_EXTRA_FLAGS;
  if (load<i32>(from, M_ENTRY_COUNT) > 0) flags |= HAS_VALUE_EXTRA;
  if (load<u8>(from, M_HAS_OPCODE) != 0) flags |= HAS_OPCODE;
  if (load<u8>(from, M_HAS_INIT) != 0) flags |= HAS_INIT;
  return flags;
}

/** Significant bytes of a number of `width` bytes, least significant first. */
export function amountSize(from: usize, width: usize): usize {
  let size = width;
  while (size > 0 && load<u64>(from + size - 8) == 0) size -= 8;
  if (size == 0) return 0;
  return size - <usize>(clz<u64>(load<u64>(from + size - 8)) >> 3);
}

function addressSize(from: usize): usize {
  const kind = load<u8>(from);
  if (kind == SOURCE_KIND_NONE) return 0;
  if (kind == SOURCE_KIND_STD) return 4 + 32;
  const bytes = (<usize>load<u16>(from, ADDRESS_BITS) + 7) >> 3;
  return kind == SOURCE_KIND_EXTERN ? 2 + bytes : 4 + 2 + bytes;
}

/** Bytes of the message in a pack. */
export function packedSize(from: usize): usize {
  const flags = flagsOf(from);
  let size: usize = 2 + 32 + 12 + 4 + 32 + 4 + <usize>load<u32>(from, M_BODY_SIZE);
  size += addressSize(from + M_SOURCE) + addressSize(from + M_DESTINATION);
  size += amountSize(from + M_VALUE, 16) + amountSize(from + M_FWD_FEE, 16);
  size += amountSize(from + M_IHR_FEE, 16) + amountSize(from + M_IMPORT_FEE, 16);
  if (flags & HAS_HASH_NORM) size += 32;
  if (flags & HAS_EXTRA_FLAGS) size += 1 + amountSize(from + M_EXTRA_FLAGS, 16);
  if (flags & HAS_VALUE_EXTRA) size += entriesSize(load<u32>(from, M_ENTRIES), load<i32>(from, M_ENTRY_COUNT));
  if (flags & HAS_OPCODE) size += 4;
  if (flags & HAS_INIT) size += 32 + 4 + <usize>load<u32>(from, M_INIT_SIZE);
  return size;
}

/** Bytes of `count` currencies in a pack, from that offset in ENTRIES on. */
export function entriesSize(first: usize, count: i32): usize {
  if (count > 0xffff) contradiction(VALUE, 'currencies in a pack', -1, 0xffff, count);
  let at = ENTRIES.start + first;
  let size: usize = 2;
  for (let i = 0; i < count; i++) {
    size += 4 + 1 + amountSize(at + 4, 32);
    at += ENTRY;
  }
  return size;
}

/** Writes the message at `to`, with room for 32 bytes more than it needs; returns its end. */
export function packMessage(from: usize, isOut: bool, to: usize): usize {
  const flags = flagsOf(from);
  store<u16>(to, <u16>(flags | (isOut ? 1 : 0)));
  copyHash(from + M_HASH, to + 2);
  let at = to + 34;
  if (flags & HAS_HASH_NORM) {
    copyHash(from + M_HASH_NORM, at);
    at += 32;
  }
  // created_lt and created_at are adjacent in the record, as here.
  moveBytes(at, from + M_CREATED_LT, 12);
  at = packAddress(from + M_DESTINATION, packAddress(from + M_SOURCE, at + 12));
  at = packAmount(from + M_VALUE, 16, at);
  at = packAmount(from + M_FWD_FEE, 16, at);
  at = packAmount(from + M_IHR_FEE, 16, at);
  at = packAmount(from + M_IMPORT_FEE, 16, at);
  if (flags & HAS_EXTRA_FLAGS) at = packAmount(from + M_EXTRA_FLAGS, 16, at);
  if (flags & HAS_VALUE_EXTRA) at = packEntries(load<u32>(from, M_ENTRIES), load<i32>(from, M_ENTRY_COUNT), at);
  if (flags & HAS_OPCODE) {
    store<u32>(at, load<u32>(from, M_OPCODE));
    at += 4;
  }
  copyHash(from + M_BODY_HASH, at);
  at = packBag(load<u32>(from, M_BODY), load<u32>(from, M_BODY_SIZE), at + 32);
  if (flags & HAS_INIT) {
    copyHash(from + M_INIT_HASH, at);
    at = packBag(load<u32>(from, M_INIT), load<u32>(from, M_INIT_SIZE), at + 32);
  }
  return at;
}

function packAddress(from: usize, to: usize): usize {
  const kind = load<u8>(from);
  if (kind == SOURCE_KIND_NONE) return to;
  let at = to;
  if (kind != SOURCE_KIND_EXTERN) {
    store<u32>(at, load<u32>(from, ADDRESS_WORKCHAIN));
    at += 4;
  }
  if (kind == SOURCE_KIND_STD) {
    copyHash(from + ADDRESS_ACCOUNT, at);
    return at + 32;
  }
  const bits = load<u16>(from, ADDRESS_BITS);
  const size = (<usize>bits + 7) >> 3;
  store<u16>(at, bits);
  moveBytes(at + 2, from + ADDRESS_RAW, size);
  return at + 2 + size;
}

export function packAmount(from: usize, width: usize, to: usize): usize {
  const size = amountSize(from, width);
  store<u8>(to, <u8>size);
  moveBytes(to + 1, from, size);
  return to + 1 + size;
}

export function packEntries(first: usize, count: i32, to: usize): usize {
  let entry = ENTRIES.start + first;
  store<u16>(to, <u16>count);
  let at = to + 2;
  for (let i = 0; i < count; i++) {
    store<u32>(at, load<u32>(entry));
    at = packAmount(entry + 4, 32, at + 4);
    entry += ENTRY;
  }
  return at;
}

function packBag(offset: u32, size: u32, to: usize): usize {
  store<u32>(to, size);
  moveBytes(to + 4, BAGS.start + <usize>offset, size);
  return to + 4 + <usize>size;
}
