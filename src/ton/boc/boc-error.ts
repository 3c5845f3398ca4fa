/** Defect of a bag of cells. */
export type BocErrorCode =
  | 'magic' // none of the three
  | 'flags' // reserved bits set, or cache bits without an index
  | 'size' // width of a cell index not 1…4, or of an offset not 1…8
  | 'truncated' // the bytes end early
  | 'trailing' // bytes after the end
  | 'count' // a number of cells or roots that these bytes cannot hold
  | 'limit' // more than the reader is willing to take
  | 'absent' // absent cells are declared
  | 'root' // a root that is no cell of the bag
  | 'crc' // CRC32C differs
  | 'index' // an index entry does not point to the end of its cell
  | 'descriptor' // more than four references
  | 'tag' // no completion tag, or one that ends a whole byte
  | 'reference' // to itself, backwards or outside
  | 'level' // the level mask is not the one that the cells give
  | 'exotic' // an exotic cell of unknown type or wrong shape
  | 'depth' // deeper than the limit
  | 'merkle'; // a Merkle cell's stored hash or depth is not its child's

/** Place and kind of the defect. `offset` counts bytes from the start of the bag. */
export interface BocErrorFacts {
  readonly offset: number;
  readonly cell?: number;
  readonly expected?: string | number;
  readonly found?: string | number;
}

/** The bytes are not a valid bag of cells. */
export class BocError extends Error {
  override readonly name = 'BocError';
  readonly code: BocErrorCode;
  readonly offset: number;
  readonly cell: number | undefined;
  readonly expected: string | number | undefined;
  readonly found: string | number | undefined;

  constructor(code: BocErrorCode, facts: BocErrorFacts) {
    const { offset, cell, expected, found } = facts;
    const where = cell === undefined ? `byte ${offset}` : `byte ${offset}, cell ${cell}`;
    const wanted = expected === undefined ? '' : `, expected ${expected}`;
    super(`bag of cells: ${code} at ${where}${wanted}${found === undefined ? '' : `, found ${found}`}`);
    this.code = code;
    this.offset = offset;
    this.cell = cell;
    this.expected = expected;
    this.found = found;
  }
}
