import { CellError } from './cell-error.ts';
import type { CellSlice } from './cell-slice.ts';

/** Start of a label of a dictionary's edge. */
export interface LabelHead {
  /** Bits. */
  readonly length: number;
  /** The bit that the label repeats; null if its bits follow. */
  readonly same: boolean | null;
}

/**
 * Loads the start of a label; `left` key bits are still open.
 *
 *     hml_short$0 {m:#} {n:#} len:(Unary ~n) {n <= m} s:(n * Bit) = HmLabel ~n m;
 *     hml_long$10 {m:#} n:(#<= m) s:(n * Bit) = HmLabel ~n m;
 *     hml_same$11 {m:#} v:Bit n:(#<= m) = HmLabel ~n m;
 *
 * @throws CellError value: a longer label
 */
export function loadLabelHead(slice: CellSlice, left: number): LabelHead {
  // `#<= m` takes as many bits as m itself.
  const width = 32 - Math.clz32(left);
  let length = 0;
  let same: boolean | null = null;
  if (!slice.bit()) {
    while (slice.bit()) length++;
  } else {
    same = slice.bit() ? slice.bit() : null;
    length = slice.uint(width);
  }
  return { length: checkLabel(slice, length, left), same };
}

/** The length of a label, of which at most `left` bits are open. @throws CellError value */
export function checkLabel(slice: CellSlice, length: number, left: number): number {
  if (length <= left) return length;
  const { cell, bitPosition: bit } = slice;
  const expected = `at most ${left} bits`;
  throw new CellError('value', { cell, bit, what: 'HmLabel', expected, found: length });
}
