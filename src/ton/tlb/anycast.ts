import type { CellSlice } from '../boc/cell-slice.ts';
import { type BitString, loadBitString } from './bit-string.ts';
import { badValue } from './tag.ts';

/** The prefix that replaces the first bits of an account's address. */
export type Anycast = BitString;

// anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
export function loadAnycast(slice: CellSlice): Anycast {
  const depth = slice.uint(5);
  if (depth < 1 || depth > 30) throw badValue(slice, 'Anycast.depth', '1…30', depth);
  return loadBitString(slice, depth);
}

/** An address with its first bits replaced: the account that the message really concerns. */
export function rewriteAddress(address: Uint8Array, anycast: Anycast | null): Uint8Array {
  if (!anycast) return address;
  const rewritten = address.slice();
  for (let bit = 0; bit < anycast.bitLength; bit++) {
    const mask = 0x80 >> (bit & 7);
    const byte = rewritten[bit >> 3] as number;
    const set = ((anycast.bytes[bit >> 3] as number) & mask) !== 0;
    rewritten[bit >> 3] = set ? byte | mask : byte & ~mask;
  }
  return rewritten;
}
