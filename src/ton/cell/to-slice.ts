import type { Boc } from '../boc/boc.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import type { Cell } from './cell.ts';

/** The cell of each one-cell bag that `toSlice` made. */
const cells = new WeakMap<Boc, Cell>();
const FIRST = Uint32Array.of(0);
const OWN_REFS = Uint32Array.of(0, 1, 2, 3);

/**
 * Returns a slice at the start of a cell object. The slice's references are 0 to 3: `nextRef` returns the cell objects.
 * Readers that open the cells below themselves need a bag (`parseBoc`) instead.
 */
export function toSlice(cell: Cell): CellSlice {
  const boc: Boc = {
    bytes: cell.data,
    cellCount: 1,
    roots: [0],
    dataStart: FIRST,
    bitLength: Uint16Array.of(cell.bitLength),
    refCount: Uint8Array.of(cell.refs.length),
    refs: OWN_REFS,
    type: Uint8Array.of(cell.type),
    levelMask: Uint8Array.of(cell.levelMask),
    complete: Uint8Array.of(cell.levelMask === 0 ? 1 : 0),
  };
  cells.set(boc, cell);
  return new CellSlice(boc, -1).resetAny(0);
}

/** Consumes the next reference of a slice that `toSlice` made. @throws CellError underflow */
export function nextRef(slice: CellSlice): Cell {
  return getCell(slice).refs[slice.ref()]!;
}

/** As `nextRef`, for `Maybe ^X`: null for none. */
export function nextMaybeRef(slice: CellSlice): Cell | null {
  const ref = slice.maybeRef();
  return ref < 0 ? null : getCell(slice).refs[ref]!;
}

/** All references of the cell that a slice of `toSlice` is in. */
export function getAllRefs(slice: CellSlice): readonly Cell[] {
  return getCell(slice).refs;
}

function getCell({ boc }: CellSlice): Cell {
  const cell = cells.get(boc);
  if (!cell) throw new TypeError('the slice belongs to a parsed bag, not to a cell object');
  return cell;
}
