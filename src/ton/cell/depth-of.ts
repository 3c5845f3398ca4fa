import type { Cell } from './cell.ts';

/**
 * References on the longest path down, pruned branches taken as they stand; without recursion and without a hash.
 * Beyond `most` it ends with any number above it.
 */
export function depthOf(root: Cell, most: number): number {
  const depths = new Map<Cell, number>();
  const path: Cell[] = [root];
  for (let cell = path.at(-1); cell; cell = path.at(-1)) {
    if (path.length > most + 1) return most + 1;
    const next = cell.refs.find((ref) => !depths.has(ref));
    if (next) {
      path.push(next);
      continue;
    }
    path.pop();
    depths.set(
      cell,
      cell.refs.reduce((deepest, ref) => Math.max(deepest, depths.get(ref)! + 1), 0),
    );
  }
  return depths.get(root)!;
}
