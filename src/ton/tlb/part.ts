import type { Boc } from '../boc/boc.ts';
import { CellSlice } from '../boc/cell-slice.ts';

/**
 * `Either X ^X`, unopened: X as a cell (`cell` its index), or as a piece of the cell that holds it (`slice` stands at
 * its start and ends where it ends).
 */
export type Part = { readonly cell: number } | { readonly slice: CellSlice };

/** The piece of a cell from `from` (a clone at its start) up to the position of `to`, as a slice that ends there. */
export function pieceOf(from: CellSlice, to: CellSlice): CellSlice {
  const piece = new CellSlice(endingAt(to), from.cell);
  piece.bitPosition = from.bitPosition;
  piece.refPosition = from.refPosition;
  return piece;
}

/** The same bag, except that the slice's cell ends where the slice stands. */
function endingAt(slice: CellSlice): Boc {
  const bitLength = slice.boc.bitLength.slice();
  const refCount = slice.boc.refCount.slice();
  bitLength[slice.cell] = slice.bitPosition;
  refCount[slice.cell] = slice.refPosition;
  return { ...slice.boc, bitLength, refCount };
}
