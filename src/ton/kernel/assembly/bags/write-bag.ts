/**
 * Writes a cell's tree as a bag of its own: one root, CRC32C, no index, each different cell once; mirrors
 * boc/serialize.ts and boc/cell-order.ts. All cells below must be hashed: equal cells are found by their hash.
 */
import { Area } from '../area';
import { bitLength, bitsDescriptor, cellCount, data, descriptor, refCount, refsAt } from './bag';
import { addCompletionTag, copyBits } from '../copy-bits';
import { crc32c } from './crc32c';
import { hashOf } from './hash-cells';
import { moveBytes } from '../move-bytes';
import { sameHash } from '../refuse';

/** By cell: the turn in which it was ranked, and its rank. Turns spare the clearing between bags. */
const RANKS = new Area();
/** By hash: the turn, and a cell. */
const SEEN = new Area();
let seenMask: u32 = 0;
let turn: u32 = 0;
const LEFT = new Area();
const PATH = new Area();

/** Turns are counted through all blocks, so what older ones left needs no clearing. */
const LAST_TURN: u32 = 0xf0000000;

/** Begins a block: cells are others than before. */
export function beginBags(): void {
  let size: u32 = 64;
  while (size < <u32>cellCount * 2) size *= 2;
  seenMask = size - 1;
  reserveCleared(RANKS, (<usize>cellCount) << 3);
  reserveCleared(SEEN, (<usize>size) << 3);
}

function reserveCleared(area: Area, size: usize): void {
  const before = area.capacity;
  area.reserve(size);
  if (area.capacity != before || turn > LAST_TURN) memory.fill(area.start, 0, area.capacity);
}

@inline
function rankAt(cell: i32): usize {
  return RANKS.start + ((<usize>cell) << 3);
}
@inline
function isRanked(cell: i32): bool {
  return load<u32>(rankAt(cell)) == turn;
}

/** An equal cell that was given before in this turn, or the cell itself. */
function sameAs(cell: i32): i32 {
  const hash = hashOf(cell);
  let place = load<u32>(hash) & seenMask;
  let at = SEEN.start + ((<usize>place) << 3);
  while (load<u32>(at) == turn) {
    const other = load<i32>(at, 4);
    if (sameHash(hashOf(other), hash)) return other;
    place = (place + 1) & seenMask;
    at = SEEN.start + ((<usize>place) << 3);
  }
  store<u32>(at, turn);
  store<i32>(at, cell, 4);
  return cell;
}

/** A cell's last child without a rank; -1 where all have one. */
@inline
function lastUnranked(cell: i32): i32 {
  const refs = refsAt(cell);
  for (let k = refCount(cell) - 1; k >= 0; k--) {
    const child = load<i32>(refs + ((<usize>k) << 2));
    if (!isRanked(child)) return child;
  }
  return -1;
}

/**
 * Ranks the cells below a root: the reverse of a depth-first walk that leaves a cell after its references, taking those
 * from the last to the first.
 */
function orderCells(refs: usize, count: i32): void {
  turn++;
  LEFT.length = 0;
  PATH.length = 0;
  for (let k = 0; k < count; k++) PATH.push32(load<u32>(refs + ((<usize>k) << 2)));
  while (PATH.length > 0) {
    const cell = load<i32>(PATH.start + PATH.length - 4);
    if (!isRanked(cell)) {
      const next = lastUnranked(cell);
      if (next >= 0) {
        PATH.push32(next);
        continue;
      }
      const same = sameAs(cell);
      const rank = same == cell ? <u32>(LEFT.length >> 2) : load<u32>(rankAt(same), 4);
      if (same == cell) LEFT.push32(cell);
      store<u32>(rankAt(cell), turn);
      store<u32>(rankAt(cell), rank, 4);
    }
    PATH.length -= 4;
  }
}

@inline
function byteWidth(value: usize): i32 {
  return value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x1000000 ? 3 : 4;
}

/** Big-endian; writes whole words, the rest is overwritten later. */
@inline
function writeNumber(to: usize, size: i32, value: u32): usize {
  store<u32>(to, bswap<u32>(value << ((4 - size) << 3)));
  return to + <usize>size;
}

@inline
function writeRefs(to: usize, refs: usize, count: i32, size: i32, left: u32): usize {
  let at = to;
  for (let k = 0; k < count; k++) {
    const rank = load<u32>(rankAt(load<i32>(refs + ((<usize>k) << 2))), 4);
    at = writeNumber(at, size, left - rank);
  }
  return at;
}

function writeCells(to: usize, refSize: i32): usize {
  const left = <u32>(LEFT.length >> 2);
  let at = to;
  for (let i = <i32>left - 1; i >= 0; i--) {
    const cell = load<i32>(LEFT.start + ((<usize>i) << 2));
    const bits = bitLength(cell);
    store<u16>(at, <u16>(descriptor(cell) | (bitsDescriptor(bits) << 8)));
    const size = <usize>((bits + 7) >> 3);
    // Bits beyond the length are the tag and zeros, as in the source.
    moveBytes(at + 2, data(cell), size);
    at = writeRefs(at + 2 + size, refsAt(cell), refCount(cell), refSize, left);
  }
  return at;
}

/**
 * Appends a bag to `out` and gives its size. The root: first descriptor, `bits` bits from bit `bit` of `from`, and
 * `count` references at `refs`.
 */
export function writeBag(out: Area, d1: u32, from: usize, bit: i32, bits: i32, refs: usize, count: i32): usize {
  LEFT.length = 0;
  if (count > 0) orderCells(refs, count);
  const left = <u32>(LEFT.length >> 2);
  const refSize = byteWidth(left + 1);
  const rootSize = <usize>((bits + 7) >> 3);
  let total: usize = 2 + rootSize + <usize>(count * refSize);
  for (let i: u32 = 0; i < left; i++) {
    const cell = load<i32>(LEFT.start + (i << 2));
    total += <usize>(2 + ((bitLength(cell) + 7) >> 3) + refCount(cell) * refSize);
  }
  const offsetSize = byteWidth(total);
  const size = <usize>(6 + 4 * refSize + offsetSize) + total + 4;
  const start = out.room(size);
  store<u32>(start, 0x729ceeb5);
  store<u8>(start, <u8>(0x40 | refSize), 4);
  store<u8>(start, <u8>offsetSize, 5);
  let at = writeNumber(start + 6, refSize, left + 1);
  at = writeNumber(at, refSize, 1);
  at = writeNumber(at, refSize, 0);
  at = writeNumber(at, offsetSize, <u32>total);
  at = writeNumber(at, refSize, 0);
  store<u16>(at, <u16>(d1 | (bitsDescriptor(bits) << 8)));
  copyBits(from, bit, bits, at + 2);
  addCompletionTag(at + 2, bits);
  at = writeRefs(at + 2 + rootSize, refs, count, refSize, left);
  at = writeCells(at, refSize);
  store<u32>(at, crc32c(start, at - start));
  out.length += size;
  return size;
}

/** Writes the tree of a cell as it is in the bag. */
export function writeCell(out: Area, cell: i32): usize {
  return writeBag(out, descriptor(cell), data(cell), 0, bitLength(cell), refsAt(cell), refCount(cell));
}
