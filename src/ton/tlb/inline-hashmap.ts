import type { CellSlice } from '../boc/cell-slice.ts';
import { forEachLeaf } from '../boc/hashmap.ts';
import { loadLabelHead } from '../boc/load-label.ts';
import { type BitString, loadBitString, putBits, putOne } from './bit-string.ts';

/**
 * A `Hashmap n X` or `HashmapAug n X Y` whose root edge stands inside a cell with other fields, not in one of its own
 * (AccountBlock.transactions, LibDescr.publishers). The slice must stand at the label. A root that is a leaf is
 * visited with the slice itself; at a root fork both references are consumed, and a HashmapAug's extra is next.
 *
 * @returns whether the root is a fork
 */
export function forEachInlineLeaf(
  slice: CellSlice,
  keyBits: number,
  visit: (key: Uint8Array, value: CellSlice) => void,
): boolean {
  const label = loadLabel(slice, keyBits);
  const key = new Uint8Array((keyBits + 7) >> 3);
  putBits(key, 0, label);
  if (label.bitLength === keyBits) {
    visit(key, slice);
    return false;
  }
  const below = label.bitLength + 1;
  for (const right of [false, true]) {
    const child = slice.ref();
    forEachLeaf(slice.boc, child, keyBits - below, (rest, value) => {
      key.fill(0);
      putBits(key, 0, label);
      if (right) putOne(key, label.bitLength);
      putBits(key, below, { bytes: rest, bitLength: keyBits - below });
      visit(key, value);
    });
  }
  return true;
}

/** The label of an edge, of which at most `max` bits are open. @throws CellError value: a longer label */
export function loadLabel(slice: CellSlice, max: number): BitString {
  const { length, same } = loadLabelHead(slice, max);
  if (same === null) return loadBitString(slice, length);
  const bytes = new Uint8Array((length + 7) >> 3);
  if (same) for (let i = 0; i < length; i++) putOne(bytes, i);
  return { bytes, bitLength: length };
}
