import type { CellSlice } from '../boc/cell-slice.ts';
import { findLeaf, type LeafKey } from '../boc/find-leaf.ts';
import type { Cell } from '../cell/cell.ts';
import { getAllRefs, nextRef, toSlice } from '../cell/to-slice.ts';

/** Reads cells of a tree and records each one. A proof of these reads shows the recorded cells (make-proof.ts). */
export class Visits {
  readonly #seen = new Set<string>();

  /** True if the cell has been read. */
  has(cell: Cell): boolean {
    return this.#seen.has(identity(cell));
  }

  /** Returns a slice at the start of a cell of any type, and records the cell. */
  open(cell: Cell): CellSlice {
    this.#seen.add(identity(cell));
    return toSlice(cell);
  }

  /** Records a cell with everything below it. */
  openAll(root: Cell): void {
    const path = [root];
    const done = new Set<Cell>();
    for (let cell = path.pop(); cell; cell = path.pop()) {
      if (done.has(cell)) continue;
      done.add(cell);
      this.#seen.add(identity(cell));
      path.push(...cell.refs);
    }
  }

  /**
   * Returns the slice at a leaf's extra and value, or null if the dictionary does not have the key. The recorded path
   * proves either answer.
   * @throws CellError not a dictionary with keys of this length
   */
  leaf(root: Cell, key: LeafKey): CellSlice | null {
    return findLeaf(this.open(root), key, (slice) => this.open(nextRef(slice)));
  }

  /** As `leaf`, with the other side of each fork: clients compare the extras of both sides of an augmented dictionary. */
  leafWithSiblings(root: Cell, key: LeafKey): CellSlice | null {
    return findLeaf(this.open(root), key, (slice) => {
      for (const ref of getAllRefs(slice)) this.open(ref);
      return this.open(nextRef(slice));
    });
  }
}

/** The representation hash: a pruned branch and the cell that it replaces differ. */
function identity(cell: Cell): string {
  return cell.levelMask === 0 ? cell.key : Buffer.from(cell.hash()).toString('latin1');
}
