import type { CellSlice } from '../boc/cell-slice.ts';

// nothing$0 {X:Type} = Maybe X;
// just$1 {X:Type} value:X = Maybe X;
export function loadMaybe<T>(slice: CellSlice, load: (slice: CellSlice) => T): T | null {
  return slice.bit() ? load(slice) : null;
}

/** `Maybe Grams` */
export function loadMaybeCoins(slice: CellSlice): bigint | null {
  return slice.bit() ? slice.coins() : null;
}
