import type { Boc } from '../boc/boc.ts';
import { CellSlice } from '../boc/cell-slice.ts';

/** `^X`: reads a type that fills a cell of its own; bits or references left over are a CellError. */
export function loadWholeCell<T>(boc: Boc, cell: number, what: string, load: (slice: CellSlice) => T): T {
  const slice = new CellSlice(boc, cell);
  const value = load(slice);
  slice.end(what);
  return value;
}
