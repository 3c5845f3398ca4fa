import { PRUNED } from '../boc/cell-type.ts';
import type { Cell } from './cell.ts';
import { CellBuilder } from './cell-builder.ts';

/**
 * A pruned branch of a level, 1 to 3: the cell's own level mask with that level added, then one hash and one depth for
 * each significant level below it. Source: `CellBuilder::create_pruned_branch` of the reference node.
 * @throws RangeError the cell's own level is not below it
 */
export function prunedBranch(cell: Cell, level = 1): Cell {
  const bit = 1 << (level - 1);
  if (cell.levelMask >= bit)
    throw new RangeError(`a cell with mask ${cell.levelMask} cannot be pruned at level ${level}`);
  const mask = cell.levelMask | bit;
  const levels: number[] = [];
  for (let l = 0; l < level; l++) if (l === 0 || (mask & (1 << (l - 1))) !== 0) levels.push(l);
  const builder = new CellBuilder().uint(PRUNED, 8).uint(mask, 8);
  for (const l of levels) builder.bytes(cell.hash(l));
  for (const l of levels) builder.uint(cell.depth(l), 16);
  return builder.cell(PRUNED);
}
