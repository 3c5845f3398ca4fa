import type { Cell } from '@ton/core';
import type { Boc } from '../../../../src/ton/boc/boc.ts';
import type { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';

/** Walks both trees together and lists every cell whose hash or depth differs at any level. Returns what was seen. */
export function compareWithCore(boc: Boc, hashes: CellHashes, root: number, core: Cell) {
  const differences: string[] = [];
  const coreOf = new Map<number, Cell>([[root, core]]);
  // References point forward only, so a cell is met after all that refer to it.
  for (let cell = root; cell < boc.cellCount; cell++) {
    const other = coreOf.get(cell);
    if (!other) continue;
    for (let level = 0; level <= 3; level++) {
      const same =
        Buffer.from(hashes.hash(cell, level)).equals(other.hash(level)) &&
        hashes.depth(cell, level) === other.depth(level);
      if (!same) differences.push(`cell ${cell} level ${level}`);
    }
    if (boc.bitLength[cell] !== other.bits.length) differences.push(`cell ${cell}: bits`);
    other.refs.forEach((child, k) => {
      coreOf.set(boc.refs[cell * 4 + k]!, child);
    });
  }
  return { cells: coreOf.size, differences };
}
