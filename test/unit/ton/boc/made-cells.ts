import { beginCell, Cell } from '@ton/core';

/** A small seeded generator (mulberry32), so that a failing case can be run again. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** A pruned branch for `cell`, cut away at one Merkle depth (level 1). */
export function pruned(cell: Cell): Cell {
  const to = beginCell()
    .storeUint(1, 8)
    .storeUint(1, 8)
    .storeBuffer(cell.hash(0))
    .storeUint(cell.depth(0), 16);
  return to.endCell({ exotic: true });
}

/** A pruned branch for a cell that has one itself, cut away at the second Merkle depth (levels 1 and 2). */
export function prunedTwice(cell: Cell): Cell {
  const to = beginCell().storeUint(1, 8).storeUint(3, 8).storeBuffer(cell.hash(0)).storeBuffer(cell.hash(1));
  return to.storeUint(cell.depth(0), 16).storeUint(cell.depth(1), 16).endCell({ exotic: true });
}

export function merkleProof(child: Cell): Cell {
  const to = beginCell().storeUint(3, 8).storeBuffer(child.hash(0)).storeUint(child.depth(0), 16);
  return to.storeRef(child).endCell({ exotic: true });
}

export function merkleUpdate(before: Cell, after: Cell): Cell {
  const to = beginCell().storeUint(4, 8).storeBuffer(before.hash(0)).storeBuffer(after.hash(0));
  to.storeUint(before.depth(0), 16).storeUint(after.depth(0), 16);
  return to.storeRef(before).storeRef(after).endCell({ exotic: true });
}

export function library(hash: Buffer): Cell {
  return beginCell().storeUint(2, 8).storeBuffer(hash).endCell({ exotic: true });
}

/** A random graph: ordinary cells of any length, some shared, some equal, and exotic cells of every kind. */
export function randomCell(seed: number, size: number): Cell {
  const random = seeded(seed);
  const made: Cell[] = [Cell.EMPTY];
  // Near the end of the list, so that the graph is deep; sometimes anywhere, so that cells are shared.
  const pick = () => made[random(3) === 0 ? random(made.length) : Math.max(0, made.length - 1 - random(4))]!;
  const plain = () => {
    const builder = beginCell();
    const bits = random(5) === 0 ? 0 : random(1024);
    for (let i = 0; i < bits; i++) builder.storeBit(random(2) === 1);
    for (let k = random(5); k > 0; k--) builder.storeRef(pick());
    return builder.endCell();
  };
  while (made.length < size) {
    const kind = random(16);
    if (kind === 0) made.push(library(pick().hash()));
    else if (kind === 1) made.push(merkleProof(pick()));
    else if (kind === 2) made.push(merkleUpdate(pick(), pick()));
    else if (kind === 3) {
      const hidden = pick();
      if (hidden.level() === 0) made.push(pruned(hidden));
      if (hidden.level() === 1) made.push(prunedTwice(hidden));
    } else made.push(plain());
  }
  // One root above the last ones.
  const root = beginCell().storeUint(seed, 32);
  for (const cell of made.slice(-4)) root.storeRef(cell);
  return root.endCell();
}
