import { CellError } from '../boc/cell-error.ts';
import type { CellSlice } from '../boc/cell-slice.ts';

/** Reads a constructor tag of up to 32 bits; throws CellError 'tag' where it is another one. */
export function expectTag(slice: CellSlice, bits: number, tag: number, what: string): void {
  const bit = slice.bitPosition;
  const found = slice.uint(bits);
  if (found !== tag) {
    throw new CellError('tag', { cell: slice.cell, bit, what, expected: hex(tag), found: hex(found) });
  }
}

/** The error for a tag that no constructor of the type has; the tag ends at the slice's position. */
export function unknownTag(slice: CellSlice, what: string, found: number): CellError {
  return new CellError('tag', { cell: slice.cell, bit: slice.bitPosition, what, found: hex(found) });
}

/** The error for a field outside the range that the grammar gives it. */
export function badValue(
  slice: CellSlice,
  what: string,
  expected: string | number | bigint,
  found: string | number | bigint,
): CellError {
  return new CellError('value', { cell: slice.cell, bit: slice.bitPosition, what, expected, found });
}

function hex(tag: number): string {
  return `#${tag.toString(16)}`;
}
