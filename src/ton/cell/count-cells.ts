import type { Cell } from './cell.ts';

/**
 * Counts the distinct cells below and including the roots, and their bits. Storage and message fees use these numbers.
 */
export function countCells(roots: readonly Cell[]): { readonly cells: number; readonly bits: number } {
  const seen = new Set<string>();
  const path = [...roots];
  let bits = 0;
  for (let cell = path.pop(); cell; cell = path.pop()) {
    if (seen.has(cell.key)) continue;
    seen.add(cell.key);
    bits += cell.bitLength;
    path.push(...cell.refs);
  }
  return { cells: seen.size, bits };
}
