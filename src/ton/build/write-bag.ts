import { addCompletionTag, bitsDescriptor } from '../boc/bits.ts';
import { crc32c } from '../hash/crc32c.ts';
import type { Cell } from './cell.ts';

/** Which parts of the form are written beside the cells; both default to true, as blocks and states have them. */
export interface BagForm {
  /** The index, with cache bits on cells that are referred to more than once. */
  readonly index?: boolean;
  readonly crc?: boolean;
}

/** Cells in the order of the file, each different one once. */
interface Order {
  readonly cells: readonly Cell[];
  /** Place in the file; equal cells have the same. */
  readonly places: Map<Cell, number>;
  /** References to each cell, the root's own included. */
  readonly uses: readonly number[];
}

/**
 * A tree of cells as a bag with one root:
 *
 *     serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) { flags = 0 }
 *       size:(## 3) { size <= 4 } off_bytes:(## 8) { off_bytes <= 8 } cells:(##(size * 8)) roots:(##(size * 8))
 *       absent:(##(size * 8)) tot_cells_size:(##(off_bytes * 8)) root_list:(roots * ##(size * 8))
 *       index:has_idx?(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ])
 *       crc32c:has_crc32c?uint32 = BagOfCells;
 *
 * The order is the reverse of a depth-first walk that leaves a cell after its references, taking those from the last
 * to the first, as in boc/cell-order.ts. Cells with the same representation hash become one.
 */
export function writeBag(root: Cell, { index = true, crc = true }: BagForm = {}): Uint8Array {
  const order = orderCells(root);
  const count = order.cells.length;
  const refSize = byteWidth(count);
  let total = 0;
  const ends = order.cells.map((cell) => {
    total += 2 + cell.data.length + cell.refs.length * refSize;
    return total;
  });
  const offsetSize = byteWidth(index ? total * 2 + 1 : total);
  const size = 6 + 4 * refSize + offsetSize + (index ? count * offsetSize : 0) + total + (crc ? 4 : 0);
  const bag = new Uint8Array(size);
  let at = putNumber(bag, 0, 4, 0xb5ee9c72);
  bag[at++] = (index ? 0xa0 : 0) | (crc ? 0x40 : 0) | refSize;
  bag[at++] = offsetSize;
  for (const value of [count, 1, 0]) at = putNumber(bag, at, refSize, value);
  at = putNumber(bag, at, offsetSize, total);
  at = putNumber(bag, at, refSize, 0);
  if (index) {
    for (let i = 0; i < count; i++) {
      const shared = order.uses[i]! > 1 ? 1 : 0;
      at = putNumber(bag, at, offsetSize, ends[i]! * 2 + shared);
    }
  }
  for (const cell of order.cells) at = putCell(bag, at, cell, order, refSize);
  if (crc) new DataView(bag.buffer).setUint32(at, crc32c(bag, at), true);
  return bag;
}

/** A walk with a path of its own, so that deep trees do not reach the stack of the machine. */
function orderCells(root: Cell): Order {
  const ranks = new Map<Cell, number>();
  const byHash = new Map<string, number>();
  const left: Cell[] = [];
  const uses: number[] = [];
  const path: Cell[] = [root];
  while (path.length > 0) {
    const cell = path[path.length - 1]!;
    if (ranks.has(cell)) {
      path.pop();
      continue;
    }
    let waiting = false;
    for (let i = cell.refs.length - 1; i >= 0 && !waiting; i--) {
      if (ranks.has(cell.refs[i]!)) continue;
      path.push(cell.refs[i]!);
      waiting = true;
    }
    if (waiting) continue;
    path.pop();
    const hash = cell.levelMask === 0 ? cell.key : Buffer.from(cell.hash()).toString('latin1');
    const known = byHash.get(hash);
    if (known !== undefined) {
      ranks.set(cell, known);
      continue;
    }
    for (const ref of cell.refs) uses[ranks.get(ref)!]!++;
    byHash.set(hash, left.length);
    ranks.set(cell, left.length);
    left.push(cell);
    uses.push(0);
  }
  const last = left.length - 1;
  for (const [cell, rank] of ranks) ranks.set(cell, last - rank);
  return { cells: left.reverse(), places: ranks, uses: uses.reverse() };
}

function putCell(bag: Uint8Array, start: number, cell: Cell, { places }: Order, refSize: number): number {
  bag[start] = cell.refs.length | (cell.type === 0 ? 0 : 8) | (cell.levelMask << 5);
  bag[start + 1] = bitsDescriptor(cell.bitLength);
  bag.set(cell.data, start + 2);
  addCompletionTag(bag, start + 2, cell.bitLength);
  let at = start + 2 + cell.data.length;
  for (const ref of cell.refs) at = putNumber(bag, at, refSize, places.get(ref)!);
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
