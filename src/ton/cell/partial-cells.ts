import { MERKLE_PROOF, PRUNED } from '../boc/cell-type.ts';
import { Cell } from './cell.ts';

/**
 * Cells by hash, some of them pruned branches. Assembles trees whose cells are all known. A pruned branch is filled
 * only by a cell with its hash, so the origin of the cell does not matter.
 */
export class PartialCells {
  /** By `Cell.key`: cells as they were found, pruned branches below them included. */
  readonly #known = new Map<string, Cell>();
  readonly #resolved = new Map<string, Cell>();

  /** Cells that are known, pruned branches not counted. */
  get size(): number {
    return this.#known.size;
  }

  /** Adds a cell with everything below it; answers whether any of it was new. */
  add(root: Cell): boolean {
    const before = this.#known.size;
    const seen = new Set([root]);
    for (const cell of seen) {
      if (cell.type === PRUNED) continue;
      const known = this.#known.get(cell.key);
      // Nothing is left out of the one: it is worth more.
      if (!known || (known.levelMask !== 0 && cell.levelMask === 0)) this.#known.set(cell.key, cell);
      if (isApart(cell)) continue;
      for (const ref of cell.refs) seen.add(ref);
    }
    return this.#known.size > before;
  }

  /** Hashes (as `Cell.key`) at or below these that are not known. */
  missing(keys: Iterable<string>): Set<string> {
    const missing = new Set<string>();
    const seen = new Set(keys);
    for (const key of seen) {
      if (this.#resolved.has(key)) continue;
      const cell = this.#known.get(key);
      if (!cell) missing.add(key);
      else if (cell.levelMask !== 0) for (const below of prunedBelow(cell)) seen.add(below);
    }
    return missing;
  }

  /** Returns the cell with a hash (as `Cell.key`) without its references, or null if it is unknown. */
  root(key: string): Cell | null {
    const cell = this.#known.get(key);
    return cell ? new Cell(cell.bitLength, cell.data, [], cell.type) : null;
  }

  /** The cell of a hash (as `Cell.key`) with everything below it; null where some of it is not known. */
  resolve(key: string): Cell | null {
    const cell = this.#known.get(key);
    if (!cell || this.missing([key]).size > 0) return null;
    return this.#fill(cell);
  }

  /** Depth first; at most as deep as a bag may be. Everything below is known. */
  #fill(found: Cell): Cell {
    const cell = found.type === PRUNED ? (this.#known.get(found.key) as Cell) : found;
    if (cell.levelMask === 0) return cell;
    const done = this.#resolved.get(cell.key);
    if (done) return done;
    const refs = cell.refs.map((ref) => this.#fill(ref));
    const resolved = new Cell(cell.bitLength, cell.data, refs, cell.type);
    if (resolved.key !== cell.key)
      throw new Error('a filled cell has another hash than the one that it is to be');
    this.#resolved.set(cell.key, resolved);
    return resolved;
  }
}

/** A Merkle cell of which nothing is left out: the pruned branches below it are its own. */
function isApart(cell: Cell): boolean {
  return cell.type >= MERKLE_PROOF && cell.levelMask === 0;
}

function prunedBelow(root: Cell): string[] {
  const found: string[] = [];
  const seen = new Set([root]);
  for (const cell of seen) {
    if (cell.type === PRUNED) found.push(cell.key);
    else if (cell.levelMask !== 0) for (const ref of cell.refs) seen.add(ref);
  }
  return found;
}
