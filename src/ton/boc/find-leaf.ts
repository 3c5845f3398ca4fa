import { CellSlice } from './cell-slice.ts';
import { loadLabelHead } from './load-label.ts';

/** A dictionary key: the first `bits` bits of `bytes`. */
export interface LeafKey {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

/**
 * Follows one path of a `Hashmap` or `HashmapAug` to the leaf with the key. The root edge may start inside a cell, as
 * in an AccountBlock. Reads only the cells on the path. `openNext` consumes the next reference of a slice and returns a
 * slice at its start.
 *
 *     hm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
 *
 * @returns the slice at the leaf's extra and value, or null if no leaf has the key
 * @throws CellError exotic (a pruned edge), underflow, value: not a dictionary with keys of this length
 */
export function findLeaf(
  root: CellSlice,
  key: LeafKey,
  openNext: (slice: CellSlice) => CellSlice = (slice) => new CellSlice(slice.boc, slice.ref()),
): CellSlice | null {
  let slice = root;
  for (let at = 0; ; at++) {
    const length = matchLabel(slice, key, at);
    if (length < 0) return null;
    at += length;
    if (at === key.bits) return slice;
    if (keyBit(key, at)) slice.skipRefs(1);
    slice = openNext(slice);
  }
}

function keyBit({ bytes }: LeafKey, at: number): boolean {
  return (bytes[at >> 3]! & (0x80 >> (at & 7))) !== 0;
}

/** Reads a label. Returns its length in bits, or -1 if it differs from the key. */
function matchLabel(slice: CellSlice, key: LeafKey, at: number): number {
  const { length, same } = loadLabelHead(slice, key.bits - at);
  for (let i = 0; i < length; i++) {
    if ((same ?? slice.bit()) !== keyBit(key, at + i)) return -1;
  }
  return length;
}
