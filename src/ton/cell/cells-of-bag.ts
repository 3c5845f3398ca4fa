import { cellBits, copyBits } from '../boc/bits.ts';
import { type Boc, type BocLimits, onlyRoot, parseBoc } from '../boc/boc.ts';
import { Cell } from './cell.ts';

/** Cells of a parsed bag as objects: one object for each index, made when first asked for. */
export class CellsOfBag {
  readonly boc: Boc;
  private readonly made: (Cell | undefined)[];

  constructor(boc: Boc) {
    this.boc = boc;
    this.made = new Array(boc.cellCount);
  }

  /** The cell with everything below it. References always point forward, so that one backward sweep suffices. */
  cell(index: number): Cell {
    const known = this.made[index];
    if (known) return known;
    for (const below of this.missingBelow(index)) this.made[below] = this.make(below);
    return this.made[index]!;
  }

  /** Indexes at or below `index` that are not made yet, highest first. */
  private missingBelow(index: number): number[] {
    const { refs, refCount } = this.boc;
    const seen = new Set([index]);
    for (const cell of seen) {
      for (let at = cell * 4, end = at + refCount[cell]!; at < end; at++) {
        if (!this.made[refs[at]!]) seen.add(refs[at]!);
      }
    }
    return [...seen].sort((a, b) => b - a);
  }

  private make(index: number): Cell {
    const { boc } = this;
    const { bitLength, refs, refCount, type } = boc;
    const bits = bitLength[index]!;
    const data = new Uint8Array((bits + 7) >> 3);
    copyBits(cellBits(boc, index), data, 0);
    const below: Cell[] = [];
    for (let k = 0; k < refCount[index]!; k++) below.push(this.made[refs[index * 4 + k]!]!);
    return new Cell(bits, data, below, type[index]!);
  }
}

/** The one root of a bag, as a cell object. @throws BocError */
export function readCell(bytes: Uint8Array, limits: BocLimits = {}): Cell {
  const boc = parseBoc(bytes, limits);
  return new CellsOfBag(boc).cell(onlyRoot(boc));
}
