import { MERKLE_PROOF, MERKLE_UPDATE } from '../boc/cell-type.ts';
import { MAX_LEVEL } from '../boc/level-mask.ts';
import { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';
import { prunedBranch } from '../cell/pruned-branch.ts';
import type { Visits } from './visits.ts';

/**
 * Builds a Merkle proof of a level-0 cell: the tree with every cell pruned that was not visited. A cell without
 * references stays, because a pruned branch would be larger.
 *
 *     !merkle_proof#03 {X:Type} virtual_hash:bits256 depth:uint16 virtual_root:^X = MERKLE_PROOF X;
 *
 * Source: `MerkleProofImpl` of the reference node. Below a Merkle cell of the tree the pruned level is one higher.
 * @throws RangeError a root of a level above 0, or more nested Merkle cells than there are levels
 */
export function makeProof(root: Cell, visits: Pick<Visits, 'has'>): Cell {
  if (root.levelMask !== 0)
    throw new RangeError(`a proof needs a root of level 0, found mask ${root.levelMask}`);
  return new CellBuilder()
    .uint(MERKLE_PROOF, 8)
    .bytes(root.hash(0))
    .uint(root.depth(0), 16)
    .ref(new Pruning(visits).at(root, 1))
    .cell(MERKLE_PROOF);
}

class Pruning {
  readonly #visits: Pick<Visits, 'has'>;
  /** Results by level and cell. */
  readonly #done = Array.from({ length: MAX_LEVEL + 1 }, () => new Map<Cell, Cell>());

  constructor(visits: Pick<Visits, 'has'>) {
    this.#visits = visits;
  }

  /** The cell with its unvisited parts pruned at a level. Recursion is limited by the depth of cells (1,024). */
  at(cell: Cell, level: number): Cell {
    if (cell.refs.length === 0) return cell;
    const known = this.#done[level]!.get(cell);
    if (known) return known;
    const result = this.#visits.has(cell) ? this.#inside(cell, level) : prunedBranch(cell, level);
    this.#done[level]!.set(cell, result);
    return result;
  }

  #inside(cell: Cell, level: number): Cell {
    const isMerkle = cell.type === MERKLE_PROOF || cell.type === MERKLE_UPDATE;
    const below = level + (isMerkle ? 1 : 0);
    if (below > MAX_LEVEL) throw new RangeError(`Merkle cells are nested deeper than level ${MAX_LEVEL}`);
    const refs = cell.refs.map((ref) => this.at(ref, below));
    if (refs.every((ref, i) => ref === cell.refs[i])) return cell;
    return new Cell(cell.bitLength, cell.data, refs, cell.type);
  }
}
