import type { CellBuilder } from './cell-builder.ts';
import { firstDifference, isBitSet } from './key-bits.ts';

/** The label of an edge: bits `start` to `end` of `key`. */
export interface EdgeLabel {
  readonly key: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/**
 * Writes the label of an edge with `max` key bits still open above it. Uses the shortest of the three forms; on a tie,
 * the form that the reference node uses:
 *
 *     hml_short$0 {m:#} {n:#} len:(Unary ~n) {n <= m} s:(n * Bit) = HmLabel ~n m;
 *     hml_long$10 {m:#} n:(#<= m) s:(n * Bit) = HmLabel ~n m;
 *     hml_same$11 {m:#} v:Bit n:(#<= m) = HmLabel ~n m;
 */
export function storeLabel(builder: CellBuilder, { key, start, end }: EdgeLabel, max: number): void {
  const length = end - start;
  const width = 32 - Math.clz32(max);
  if (length > 1 && width < 2 * length - 1 && isUniform(key, start, end)) {
    builder.uint(0b11, 2).bit(isBitSet(key, start)).uint(length, width);
    return;
  }
  if (width < length) {
    builder.uint(0b10, 2).uint(length, width);
  } else {
    builder.bit(false);
    for (let i = 0; i < length; i++) builder.bit(true);
    builder.bit(false);
  }
  builder.bits(key, start, length);
}

const ZEROS = new Uint8Array(128);
const ONES = new Uint8Array(128).fill(0xff);

function isUniform(key: Uint8Array, start: number, end: number): boolean {
  return firstDifference(key, isBitSet(key, start) ? ONES : ZEROS, start, end) === end;
}
