import { PRUNED } from '../../ton/boc/boc.ts';
import { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';

/**
 * An account's cell with what its block left out put back from other states of the same account; null where some of it
 * is in none of them. The first bag is the account itself.
 */
export function wholeAccount(bags: readonly Uint8Array[]): Cell | null {
  const [account, ...others] = bags.map((boc) => readCell(boc));
  if (!account) return null;
  if (account.levelMask === 0) return account;
  const known = new Map<string, Cell>();
  for (const cell of others) collect(cell, known);
  return fill(account, known, new Map());
}

/** Cells that nothing is left out of have level 0: they are what a pruned branch of this hash stands for. */
function collect(cell: Cell, known: Map<string, Cell>): void {
  const seen = new Set([cell]);
  for (const next of seen) {
    if (next.type !== PRUNED) known.set(next.key, next);
    for (const ref of next.refs) seen.add(ref);
  }
}

/** Depth first; at most as deep as a bag may be. */
function fill(cell: Cell, known: Map<string, Cell>, done: Map<Cell, Cell | null>): Cell | null {
  if (cell.levelMask === 0) return cell;
  const before = done.get(cell);
  if (before !== undefined) return before;
  done.set(cell, null);
  const filled = fillOne(cell, known, done);
  done.set(cell, filled);
  return filled;
}

function fillOne(cell: Cell, known: Map<string, Cell>, done: Map<Cell, Cell | null>): Cell | null {
  if (cell.type === PRUNED) {
    const found = known.get(cell.key);
    return found ? fill(found, known, done) : null;
  }
  const refs: Cell[] = [];
  for (const ref of cell.refs) {
    const filled = fill(ref, known, done);
    if (filled === null) return null;
    refs.push(filled);
  }
  const whole = new Cell(cell.bitLength, cell.data, refs, cell.type);
  return whole.key === cell.key ? whole : null;
}
