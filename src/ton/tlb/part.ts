import type { CellSlice } from '../boc/cell-slice.ts';

/**
 * `Either X ^X`, unopened: X as a cell (`cell` its index), or as a piece of the cell that holds it (`slice` stands at
 * its start and ends where it ends).
 */
export type Part = { readonly cell: number } | { readonly slice: CellSlice };

/** The piece of a cell from `from` (a clone at its start) up to the position of `to`, as a slice that ends there. */
export function getPiece(from: CellSlice, to: CellSlice): CellSlice {
  return from.upTo(to);
}
