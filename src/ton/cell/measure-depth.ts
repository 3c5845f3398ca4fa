import type { Cell } from './cell.ts';

/**
 * Counts the references on the longest path down, with pruned branches as leaves. Uses no recursion and no hash. Above
 * `most` it stops with any larger number.
 */
export function measureDepth(root: Cell, most: number): number {
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
