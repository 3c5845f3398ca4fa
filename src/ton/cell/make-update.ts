import { MERKLE_UPDATE } from '../boc/cell-type.ts';
import { Cell } from './cell.ts';
import { CellBuilder } from './cell-builder.ts';
import { prunedBranch } from './pruned-branch.ts';

/** A new state refers to a settled cell that the old state does not have: it was taken from another state. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError';
  readonly cells: number;

  constructor(cells: number) {
    super(`${cells} settled cells of the new state are not in the old one`);
    this.cells = cells;
  }
}

/**
 * Builds the update from one state to the next:
 *
 *     !merkle_update#04 {X:Type} old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16
 *       old:^X new:^X = MERKLE_UPDATE X;
 *
 * Cells of the new state that are `settled` belong to the old one and are pruned, unless they have no references (a
 * pruned branch would be larger). The old side is pruned at the same cells, so it contains everything that was removed
 * or replaced.
 *
 * @throws UpdateError
 */
export function makeUpdate(oldRoot: Cell, newRoot: Cell): Cell {
  const shared = new Set<string>();
  const newSide = rewrite(newRoot, (cell) => {
    if (!cell.settled || cell.refs.length === 0) return null;
    shared.add(cell.key);
    return prunedBranch(cell);
  });
  const missing = new Set(shared);
  const oldSide = rewrite(oldRoot, (cell) => {
    if (cell.refs.length === 0 || !shared.has(cell.key)) return null;
    missing.delete(cell.key);
    return prunedBranch(cell);
  });
  if (missing.size > 0) throw new UpdateError(missing.size);
  return new CellBuilder()
    .uint(MERKLE_UPDATE, 8)
    .bytes(oldRoot.hash(0))
    .bytes(newRoot.hash(0))
    .uint(oldRoot.depth(0), 16)
    .uint(newRoot.depth(0), 16)
    .ref(oldSide)
    .ref(newSide)
    .cell(MERKLE_UPDATE);
}

/** Marks all cells of a state as belonging to a finished one; what is marked already is not walked again. */
export function settle(root: Cell): void {
  const path = [root];
  for (let cell = path.pop(); cell; cell = path.pop()) {
    if (cell.settled) continue;
    cell.settled = true;
    path.push(...cell.refs);
  }
}

/**
 * Returns the tree with some cells replaced: `replace` returns the replacement, or null to continue below the cell.
 * Unchanged subtrees stay the same objects. Depth is limited by the depth of cells (1,024).
 */
export function rewrite(root: Cell, replace: (cell: Cell) => Cell | null): Cell {
  const known = new Map<Cell, Cell>();
  const visit = (cell: Cell): Cell => {
    // Half of all cells, and nothing to remember of them.
    if (cell.refs.length === 0) return replace(cell) ?? cell;
    const done = known.get(cell);
    if (done) return done;
    const result = replace(cell) ?? withRefs(cell, cell.refs.map(visit));
    known.set(cell, result);
    return result;
  };
  return visit(root);
}

function withRefs(cell: Cell, refs: readonly Cell[]): Cell {
  if (refs.every((ref, i) => ref === cell.refs[i])) return cell;
  return new Cell(cell.bitLength, cell.data, refs, cell.type);
}
