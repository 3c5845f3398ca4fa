import { Cell } from './cell.ts';

/**
 * Returns the tree with every cell that the old tree also has replaced by the old object, so that a state update can
 * prune unchanged cells. Cells at the same place are compared by content, without hashing. If the shapes differ, cells
 * are compared by hash.
 */
export function reuseCells(cell: Cell, old: Cell | null): Cell {
  if (old === null) return cell;
  let index: Map<string, Cell> | null = null;
  const byHash = (candidate: Cell) => {
    index ??= indexCells(old);
    return index.get(candidate.key);
  };
  const visit = (fresh: Cell, place: Cell | undefined): Cell => {
    const refs: Cell[] = [];
    let changed = false;
    for (const [i, ref] of fresh.refs.entries()) {
      const reused = visit(ref, place?.refs[i]);
      if (reused !== ref) changed = true;
      refs.push(reused);
    }
    if (place && sameCell(fresh, refs, place)) return place;
    if (!place) {
      const known = byHash(fresh);
      if (known) return known;
    }
    return changed ? new Cell(fresh.bitLength, fresh.data, refs, fresh.type) : fresh;
  };
  return visit(cell, old);
}

function sameCell(fresh: Cell, refs: readonly Cell[], place: Cell): boolean {
  if (fresh.bitLength !== place.bitLength || fresh.type !== place.type) return false;
  if (refs.length !== place.refs.length) return false;
  for (let i = 0; i < refs.length; i++) if (refs[i] !== place.refs[i]) return false;
  for (let i = 0; i < fresh.data.length; i++) if (fresh.data[i] !== place.data[i]) return false;
  return true;
}

function indexCells(root: Cell): Map<string, Cell> {
  const index = new Map<string, Cell>();
  const path = [root];
  for (let cell = path.pop(); cell; cell = path.pop()) {
    if (index.has(cell.key)) continue;
    index.set(cell.key, cell);
    path.push(...cell.refs);
  }
  return index;
}
