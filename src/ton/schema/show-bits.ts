import { addCompletionTag, copyBits } from '../boc/bits.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import { toHex } from '../hash/hex.ts';

/**
 * The next bits as upper-case hex. A part of a digit at the end is filled up with a 1 and zeros, and marked by `_`.
 * @throws CellError underflow
 */
export function showBits(slice: CellSlice, count: number): string {
  const range = { ...slice.rest, count };
  slice.skipBits(count);
  const bytes = new Uint8Array((count + 7) >> 3);
  copyBits(range, bytes, 0);
  if (count % 4 !== 0) addCompletionTag(bytes, 0, count);
  const digits = toHex(bytes)
    .slice(0, (count + 3) >> 2)
    .toUpperCase();
  return count % 4 === 0 ? digits : `${digits}_`;
}
