/**
 * Why a cell differs from what was read: `underflow` the cell ends early, `leftover` data remains, `exotic` it is a
 * pruned branch, library or Merkle cell instead of data. `tag`: a constructor tag that the type does not have. `value`:
 * a field outside its range.
 */
export type CellErrorCode = 'underflow' | 'leftover' | 'exotic' | 'tag' | 'value';

/** `cell` is the index in the bag, `bit` the position in the cell's data, `what` the type or field being read. */
export interface CellErrorFacts {
  readonly cell: number;
  readonly bit: number;
  readonly what?: string;
  readonly expected?: string | number | bigint;
  readonly found?: string | number | bigint;
}

/** A cell does not contain what its reader expects. */
export class CellError extends Error {
  override readonly name = 'CellError';
  readonly code: CellErrorCode;
  readonly cell: number;
  readonly bit: number;
  readonly what: string | undefined;
  readonly expected: string | number | bigint | undefined;
  readonly found: string | number | bigint | undefined;

  constructor(code: CellErrorCode, facts: CellErrorFacts) {
    const { cell, bit, what, expected, found } = facts;
    const wanted = expected === undefined ? '' : `, expected ${expected}`;
    const got = found === undefined ? '' : `, found ${found}`;
    super(`${what ?? 'cell'}: ${code} in cell ${cell} at bit ${bit}${wanted}${got}`);
    this.code = code;
    this.cell = cell;
    this.bit = bit;
    this.what = what;
    this.expected = expected;
    this.found = found;
  }
}
