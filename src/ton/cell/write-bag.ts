import { addCompletionTag, bitsDescriptor } from '../boc/bits.ts';
import { crc32c } from '../hash/crc32c.ts';
import type { Cell } from './cell.ts';

/** Optional parts around the cells. Both default to true, as in blocks and states. */
export interface BagForm {
  /** The index, with cache bits on cells that are referred to more than once. */
  readonly index?: boolean;
  readonly crc?: boolean;
}

/** Cells in the order of the file, each different one once; `place` of each cell is its place there. */
interface Order {
  readonly cells: readonly Cell[];
  /** References to each cell, the root's own included. */
  readonly uses: readonly number[];
}

/** Number of bags written so far: shows which cells have a place in the current bag. */
let bags = 0;

/**
 * Writes trees of cells as a bag with these roots, most often one:
 *
 *     serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) { flags = 0 }
 *       size:(## 3) { size <= 4 } off_bytes:(## 8) { off_bytes <= 8 } cells:(##(size * 8)) roots:(##(size * 8))
 *       absent:(##(size * 8)) tot_cells_size:(##(off_bytes * 8)) root_list:(roots * ##(size * 8))
 *       index:has_idx?(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ])
 *       crc32c:has_crc32c?uint32 = BagOfCells;
 *
 * The order is the reverse of a depth-first walk: references from the last to the first, then the cell, as in
 * boc/cell-order.ts. Cells with the same representation hash are written once.
 */
export function writeBag(
  rootOrRoots: Cell | readonly Cell[],
  { index = true, crc = true }: BagForm = {},
): Uint8Array {
  const roots = 'hash' in rootOrRoots ? [rootOrRoots] : rootOrRoots;
  const order = orderCells(roots);
  const count = order.cells.length;
  const refSize = byteWidth(count);
  let total = 0;
  const ends = order.cells.map((cell) => {
    total += 2 + cell.data.length + cell.refs.length * refSize;
    return total;
  });
  const offsetSize = byteWidth(index ? total * 2 + 1 : total);
  const size =
    6 + (3 + roots.length) * refSize + offsetSize + (index ? count * offsetSize : 0) + total + (crc ? 4 : 0);
  const bag = new Uint8Array(size);
  let at = putNumber(bag, 0, 4, 0xb5ee9c72);
  bag[at++] = (index ? 0xa0 : 0) | (crc ? 0x40 : 0) | refSize;
  bag[at++] = offsetSize;
  for (const value of [count, roots.length, 0]) at = putNumber(bag, at, refSize, value);
  at = putNumber(bag, at, offsetSize, total);
  for (const root of roots) at = putNumber(bag, at, refSize, root.place);
  if (index) {
    for (let i = 0; i < count; i++) {
      const shared = order.uses[i]! > 1 ? 1 : 0;
      at = putNumber(bag, at, offsetSize, ends[i]! * 2 + shared);
    }
  }
  for (const cell of order.cells) at = putCell(bag, at, cell, refSize);
  if (crc) new DataView(bag.buffer).setUint32(at, crc32c(bag, at), true);
  return bag;
}

/**
 * A walk with a path of its own, so that deep trees do not reach the stack of the machine. Places are written into the
 * cells: maps of them took a fifth of the time of making a block.
 */
function orderCells(roots: readonly Cell[]): Order {
  const bag = ++bags;
  const table = new CellTable();
  /** All cells that were met, equal ones too. */
  const met: Cell[] = [];
  const left: Cell[] = [];
  const uses: number[] = [];
  const path: Cell[] = [...roots].reverse();
  while (path.length > 0) {
    const cell = path[path.length - 1]!;
    if (cell.bag === bag) {
      path.pop();
      continue;
    }
    let waiting = false;
    for (let i = cell.refs.length - 1; i >= 0 && !waiting; i--) {
      if (cell.refs[i]!.bag === bag) continue;
      path.push(cell.refs[i]!);
      waiting = true;
    }
    if (waiting) continue;
    path.pop();
    cell.bag = bag;
    met.push(cell);
    const known = table.add(cell, left);
    cell.place = known;
    if (known < left.length) continue;
    for (const ref of cell.refs) uses[ref.place]!++;
    left.push(cell);
    uses.push(0);
  }
  const last = left.length - 1;
  for (const cell of met) cell.place = last - cell.place;
  return { cells: left.reverse(), uses: uses.reverse() };
}

const HASH = 32;

/** Place by representation hash: an open-addressing table, twice as large as its content. */
class CellTable {
  /** Place plus one; 0: free. */
  private slots = new Int32Array(1 << 10);
  private hashes: Uint8Array[] = [];

  /** Returns the place of an equal cell, or assigns the next place to this cell. */
  add(cell: Cell, placed: readonly Cell[]): number {
    if (placed.length * 2 >= this.slots.length) this.grow();
    const hash = cell.hash();
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    let at = readHashStart(hash) & mask;
    for (let slot = slots[at]!; slot !== 0; slot = slots[at]!) {
      if (sameHash(hashes[slot - 1]!, hash)) return slot - 1;
      at = (at + 1) & mask;
    }
    hashes.push(hash);
    slots[at] = hashes.length;
    return hashes.length - 1;
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 4);
    const mask = slots.length - 1;
    for (const [place, hash] of this.hashes.entries()) {
      let at = readHashStart(hash) & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = place + 1;
    }
    this.slots = slots;
  }
}

function readHashStart(hash: Uint8Array): number {
  return hash[0]! | (hash[1]! << 8) | (hash[2]! << 16) | (hash[3]! << 24);
}

function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < HASH; i++) if (a[i] !== b[i]) return false;
  return true;
}

function putCell(bag: Uint8Array, start: number, cell: Cell, refSize: number): number {
  bag[start] = cell.refs.length | (cell.type === 0 ? 0 : 8) | (cell.levelMask << 5);
  bag[start + 1] = bitsDescriptor(cell.bitLength);
  bag.set(cell.data, start + 2);
  addCompletionTag(bag, start + 2, cell.bitLength);
  let at = start + 2 + cell.data.length;
  for (const ref of cell.refs) at = putNumber(bag, at, refSize, ref.place);
  return at;
}

/** Bytes that hold an unsigned number, at least one. */
function byteWidth(value: number): number {
  let width = 1;
  for (let rest = value; rest > 0xff; rest = Math.floor(rest / 256)) width++;
  return width;
}

function putNumber(target: Uint8Array, at: number, size: number, value: number): number {
  for (let i = size - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256))
    target[at + i] = rest & 0xff;
  return at + size;
}
