/**
 * Message addresses; mirrors tlb/msg-address.ts and tlb/anycast.ts. An address is read into a place of its own:
 * kind u8, -, bits u16, workchain i32, account 32 bytes, raw bits 64 bytes.
 */
import { SOURCE_KIND_EXTERN, SOURCE_KIND_NONE, SOURCE_KIND_STD, SOURCE_KIND_VAR } from '../build/columns';
import { bad, bit, bitPosition, bytes32, peek, skipBits, start, uint } from './bags/cursor';
import { copyBits } from './copy-bits';
import { clearBytes } from './move-bytes';

export const ADDRESS_BYTES: usize = 112;
export const ADDRESS_BITS: usize = 2;
export const ADDRESS_WORKCHAIN: usize = 4;
export const ADDRESS_ACCOUNT: usize = 8;
export const ADDRESS_RAW: usize = 40;

/** The depth of an anycast prefix, at most 30; 0 for none. Its bits, left-aligned, are in `prefix`. */
let prefix: u32 = 0;

/** addr_none$00, addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt; */
export function externalAddress(to: usize): void {
  clearBytes(to, ADDRESS_BYTES);
  const tag = uint(2);
  if (tag > 1) bad('MsgAddressExt', 1, tag);
  store<u8>(to, tag == 0 ? SOURCE_KIND_NONE : SOURCE_KIND_EXTERN);
  if (tag == 1) readBits(to, <i32>uint(9));
}

/** addr_std$10, addr_var$11 = MsgAddressInt; the account is given after any rewriting. */
export function internalAddress(to: usize): void {
  clearBytes(to, ADDRESS_BYTES);
  const tag = uint(2);
  if (tag < 2) bad('MsgAddressInt', 2, tag);
  const depth = bit() ? anycast() : 0;
  if (tag == 2) {
    store<u8>(to, SOURCE_KIND_STD);
    store<i32>(to, <i32>(<i8>uint(8)), ADDRESS_WORKCHAIN);
    bytes32(to + ADDRESS_ACCOUNT);
    if (depth > 0) rewrite(to + ADDRESS_ACCOUNT, 256, depth);
    return;
  }
  store<u8>(to, SOURCE_KIND_VAR);
  const bits = <i32>uint(9);
  store<u32>(to, uint(32), ADDRESS_WORKCHAIN);
  readBits(to, bits);
  if (depth > 0) rewrite(to + ADDRESS_RAW, bits, depth);
  memory.copy(to + ADDRESS_ACCOUNT, to + ADDRESS_RAW, 32);
}

function readBits(to: usize, bits: i32): void {
  const from = bitPosition;
  skipBits(bits);
  store<u16>(to, <u16>bits, ADDRESS_BITS);
  const size = copyBits(start, from, bits, to + ADDRESS_RAW);
  memory.fill(to + ADDRESS_RAW + <usize>size, 0, 8);
}

/** anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast; */
function anycast(): i32 {
  const depth = <i32>uint(5);
  if (depth < 1 || depth > 30) bad('Anycast.depth', 30, depth);
  prefix = uint(depth) << (32 - depth);
  return depth;
}

/** Replaces the first bits of an address of `bits` bits, up to its last byte. */
function rewrite(to: usize, bits: i32, depth: i32): void {
  const size = <usize>min<i32>((bits + 7) >> 3, 4);
  const old = bswap<u32>(load<u32>(to));
  const mask = ~(<u32>0xffffffff >>> depth);
  const rewritten = bswap<u32>((old & ~mask) | (prefix & mask));
  for (let i: usize = 0; i < size; i++) store<u8>(to + i, <u8>(rewritten >>> (<u32>i << 3)));
}

/** MsgAddressInt, only for its form. */
export function skipInternalAddress(): void {
  const tag = uint(2);
  if (tag < 2) bad('MsgAddressInt', 2, tag);
  if (bit()) anycast();
  if (tag == 2) skipBits(8 + 256);
  else skipBits(32 + <i32>uint(9));
}

/** MsgAddressExt, only for its form. */
export function skipExternalAddress(): void {
  const tag = peek(2);
  if (tag > 1) bad('MsgAddressExt', 1, tag);
  skipBits(2);
  if (tag == 1) skipBits(<i32>uint(9));
}
