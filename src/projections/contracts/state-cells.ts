import { MERKLE_PROOF, PRUNED } from '../../ton/boc/boc.ts';
import type { CellHashes } from '../../ton/boc/cell-hashes.ts';
import type { StateCells } from './fact.ts';

const HASH = 32;

/**
 * Cells below the root of an Account cell, by level-0 hash, for pruned branches of later states. A block omits what the
 * state before it has, in any account of the shard.
 */
export function stateCells(hashes: CellHashes, root: number): StateCells {
  const { boc } = hashes;
  const within = hasMerkle(hashes) ? cellsOfAccount(hashes, root) : null;
  const shown = new Uint8Array(Math.max(0, boc.cellCount - 1) * HASH);
  const absent = new Uint8Array(shown.length);
  let [shownEnd, absentEnd] = [0, 0];
  for (let cell = 0; cell < boc.cellCount; cell++) {
    if (cell === root || (within && !within.has(cell))) continue;
    if (boc.type[cell] === PRUNED) {
      hashes.hashInto(cell, 0, absent, absentEnd);
      absentEnd += HASH;
    } else {
      hashes.hashInto(cell, 0, shown, shownEnd);
      shownEnd += HASH;
    }
  }
  return { shown: shown.subarray(0, shownEnd), absent: absent.subarray(0, absentEnd) };
}

function hasMerkle({ boc: { type, cellCount } }: CellHashes): boolean {
  for (let cell = 0; cell < cellCount; cell++) if ((type[cell] as number) >= MERKLE_PROOF) return true;
  return false;
}

/** Cells that are reached without passing through a Merkle cell that is whole: its pruned branches are its own. */
function cellsOfAccount({ boc }: CellHashes, root: number): ReadonlySet<number> {
  const seen = new Set([root]);
  for (const cell of seen) {
    if ((boc.type[cell] as number) >= MERKLE_PROOF && boc.levelMask[cell] === 0) continue;
    const from = cell * 4;
    for (let at = from; at < from + (boc.refCount[cell] as number); at++) seen.add(boc.refs[at] as number);
  }
  return seen;
}
