/**
 * Hashes of the wanted cells, in batches of four. A hash needs the hashes of the cells below and, above the lowest
 * level, the cell's own lower hash. So jobs are sorted by height, then by place among the cell's hashes, then by
 * length, since the four messages of a batch have equally many blocks. The rules are in boc/cell-hashes.ts.
 */
import { Area } from '../area';
import {
  bitLength, bitsDescriptor, cellCount, cellType, data, descriptor, INPUT, levelMask, MAX_DEPTH, MERKLE_PROOF, PRUNED,
  refCount, refsAt,
} from './bag';
import { BOC, refuse } from '../refuse';
import { sha256Four, sha256One } from '../../build/sha256';

/** Padded blocks of the longest representation: 2 descriptors, 128 bytes, 4 depths and hashes; at most 5. */
const LANE: usize = 384;
const LANES: usize = memory.data(4 * 384, 16);
const UNUSED: usize = memory.data(64, 16);
/** Heights 0…1024 by four hashes by eight lengths. */
const KEYS: i32 = (1024 + 1) << 5;
const COUNTS: usize = memory.data(((1024 + 1) << 5) * 4, 16);

const WANTED: u8 = 1;
const DONE: u8 = 2;

const CELLS = new Area();
/** By cell: first slot of its hashes, height, whether it is wanted. */
let slotOf: usize = 0;
let heightOf: usize = 0;
let wantOf: usize = 0;
const HASHES = new Area();
const DEPTHS = new Area();
const JOBS = new Area();
let hashes: usize = 0;
let depths: usize = 0;
let slots: i32 = 0;
let hashCount: i32 = 0;

/** Begins a bag whose cells have `count` hashes together. */
export function beginHashes(count: i32): void {
  const cells = <usize>cellCount;
  slotOf = CELLS.reserve(cells * 7);
  heightOf = slotOf + (cells << 2);
  wantOf = heightOf + (cells << 1);
  memory.fill(wantOf, 0, cells);
  hashCount = count;
  hashes = HASHES.reserve((<usize>count) << 5);
  depths = DEPTHS.reserve((<usize>count) << 1);
  JOBS.reserve((<usize>count) * 12);
  slots = 0;
}

/** Wants the hashes of a cell and of all below it. */
export function want(cell: i32): void {
  const at = wantOf + <usize>cell;
  if (load<u8>(at) == 0) store<u8>(at, WANTED);
}

export function wantAll(): void {
  for (let cell = 0; cell < cellCount; cell++) want(cell);
}

@inline
function slot(cell: i32): i32 {
  return load<i32>(slotOf + ((<usize>cell) << 2));
}

@inline
function slotAt(cell: i32, level: u32): usize {
  return <usize>(slot(cell) + <i32>popcnt<u32>(levelMask(cell) & ((1 << level) - 1)));
}

/** Address of a computed cell's representation hash. */
export function hashOf(cell: i32): usize {
  return hashes + (slotAt(cell, 3) << 5);
}

/** Address of a computed cell's hash at level 0. */
export function lowestHashOf(cell: i32): usize {
  return hashes + ((<usize>slot(cell)) << 5);
}

export function depthOf(cell: i32): u32 {
  return <u32>load<u16>(depths + (slotAt(cell, 3) << 1));
}

export function lowestDepthOf(cell: i32): u32 {
  return <u32>load<u16>(depths + ((<usize>slot(cell)) << 1));
}

/** As `hashOf` and `depthOf` at a level of 0…3. */
export function hashAtLevel(cell: i32, level: u32): usize {
  return hashes + (slotAt(cell, level) << 5);
}
export function depthAtLevel(cell: i32, level: u32): u32 {
  return <u32>load<u16>(depths + (slotAt(cell, level) << 1));
}

/** Makes sure of a cell that may not have been wanted before. */
export function hashNow(cell: i32): void {
  if (load<u8>(wantOf + <usize>cell) == DONE) return;
  want(cell);
  hashWanted();
}

let jobs: i32 = 0;
let highestKey: i32 = 0;

@inline
function addJob(cell: i32, index: u32, height: u32, size: u32): void {
  const key = <i32>((((height << 2) | index) << 3) | ((size + 9 + 63) >>> 6));
  const at = JOBS.start + <usize>jobs * 8;
  store<i32>(at, key);
  store<u32>(at, (<u32>cell << 2) | index, 4);
  jobs++;
  const count = COUNTS + ((<usize>key) << 2);
  store<u32>(count, load<u32>(count) + 1);
  if (key > highestKey) highestKey = key;
}

@inline
function setDepth(slot: i32, cell: i32, depth: u32): void {
  // A pruned branch may state any depth up to 65,535. The cells above it may not exceed the network's limit.
  if (depth > MAX_DEPTH) tooDeep(cell, depth);
  store<u16>(depths + ((<usize>slot) << 1), <u16>depth);
}

function tooDeep(cell: i32, depth: u32): void {
  jobs = 0;
  memory.fill(COUNTS, 0, KEYS << 2);
  refuse(BOC, 'depth', cell, <i32>(data(cell) - INPUT.start), MAX_DEPTH, depth);
}

@inline
function heightAbove(refs: usize, count: i32): u32 {
  let height: u32 = 0;
  for (let k = 0; k < count; k++) {
    const child = load<i32>(refs + ((<usize>k) << 2));
    const above = <u32>load<u16>(heightOf + ((<usize>child) << 1)) + 1;
    if (above > height) height = above;
  }
  return height;
}

@inline
function depthAbove(refs: usize, count: i32, level: u32): u32 {
  let depth: u32 = 0;
  for (let k = 0; k < count; k++) {
    const child = load<i32>(refs + ((<usize>k) << 2));
    const above = <u32>load<u16>(depths + (slotAt(child, level) << 1)) + 1;
    if (above > depth) depth = above;
  }
  return depth;
}

function planPruned(cell: i32, first: i32): void {
  const stored = <i32>popcnt<u32>(levelMask(cell));
  const from = data(cell) + 2;
  memory.copy(hashes + ((<usize>first) << 5), from, stored << 5);
  for (let h = 0; h < stored; h++) {
    const depth = load<u16>(from + <usize>((stored << 5) + (h << 1)));
    store<u16>(depths + ((<usize>(first + h)) << 1), bswap<u16>(depth));
  }
  store<u16>(depths + ((<usize>(first + stored)) << 1), 0);
  addJob(cell, stored, 0, 2 + (bitLength(cell) >> 3));
}

function plan(cell: i32): void {
  const refs = refsAt(cell);
  const count = refCount(cell);
  const mask = levelMask(cell);
  const type = cellType(cell);
  const first = slots;
  slots += <i32>popcnt<u32>(mask) + 1;
  store<i32>(slotOf + ((<usize>cell) << 2), first);
  const height = heightAbove(refs, count);
  store<u16>(heightOf + ((<usize>cell) << 1), <u16>height);
  if (type == PRUNED) {
    planPruned(cell, first);
    return;
  }
  const raise: u32 = type >= MERKLE_PROOF ? 1 : 0;
  const links = <u32>count * 34;
  setDepth(first, cell, depthAbove(refs, count, raise));
  addJob(cell, 0, height, 2 + ((bitLength(cell) + 7) >>> 3) + links);
  let index: u32 = 1;
  for (let level: u32 = 1; mask >>> (level - 1) != 0; level++) {
    if (!(mask & (1 << (level - 1)))) continue;
    setDepth(first + <i32>index, cell, depthAbove(refs, count, level + raise));
    addJob(cell, index, height, 2 + 32 + links);
    index++;
  }
}

/** Computes all that is wanted and not yet done. */
export function hashWanted(): void {
  jobs = 0;
  highestKey = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    if (load<u8>(wantOf + <usize>cell) != WANTED) continue;
    const refs = refsAt(cell);
    for (let k = 0, count = refCount(cell); k < count; k++) want(load<i32>(refs + ((<usize>k) << 2)));
  }
  for (let cell = cellCount - 1; cell >= 0; cell--) {
    const at = wantOf + <usize>cell;
    if (load<u8>(at) != WANTED) continue;
    plan(cell);
    store<u8>(at, DONE);
  }
  run(sortJobs());
}

/** A counting sort by key; gives the address of the sorted jobs. Leaves in COUNTS where each key's jobs end. */
function sortJobs(): usize {
  let sum: u32 = 0;
  for (let key = 0; key <= highestKey; key++) {
    const at = COUNTS + ((<usize>key) << 2);
    const count = load<u32>(at);
    store<u32>(at, sum);
    sum += count;
  }
  const sorted = JOBS.start + ((<usize>hashCount) << 3);
  for (let i = 0; i < jobs; i++) {
    const from = JOBS.start + ((<usize>i) << 3);
    const at = COUNTS + ((<usize>load<i32>(from)) << 2);
    const place = load<u32>(at);
    store<u32>(at, place + 1);
    store<u32>(sorted + (place << 2), load<u32>(from, 4));
  }
  return sorted;
}

@inline
function result(job: u32): usize {
  return hashes + (<usize>(slot(<i32>(job >>> 2)) + <i32>(job & 3)) << 5);
}

function run(sorted: usize): void {
  let i: u32 = 0;
  for (let key = 0; key <= highestKey; key++) {
    const at = COUNTS + ((<usize>key) << 2);
    const end = load<u32>(at);
    store<u32>(at, 0);
    const blocks = key & 7;
    for (; i + 4 <= end; i += 4) runFour(sorted + (i << 2), blocks);
    if (i < end) runRest(sorted + (i << 2), end - i, blocks);
    i = end;
  }
}

@inline
function runFour(from: usize, blocks: i32): void {
  const a = load<u32>(from);
  const b = load<u32>(from, 4);
  const c = load<u32>(from, 8);
  const d = load<u32>(from, 12);
  represent(a, LANES, blocks);
  represent(b, LANES + LANE, blocks);
  represent(c, LANES + 2 * LANE, blocks);
  represent(d, LANES + 3 * LANE, blocks);
  sha256Four(
    LANES, LANES + LANE, LANES + 2 * LANE, LANES + 3 * LANE, blocks, result(a), result(b), result(c), result(d),
  );
}

/** One to three jobs: two in lanes cost less than two in sequence. Mixing lengths to fill lanes gained nothing. */
function runRest(from: usize, count: u32, blocks: i32): void {
  const a = load<u32>(from);
  represent(a, LANES, blocks);
  if (count == 1) {
    sha256One(LANES, blocks, result(a));
    return;
  }
  const b = load<u32>(from, 4);
  represent(b, LANES + LANE, blocks);
  let third = UNUSED;
  if (count == 3) {
    const c = load<u32>(from, 8);
    represent(c, LANES + 2 * LANE, blocks);
    third = result(c);
  }
  sha256Four(
    LANES, LANES + LANE, LANES + 2 * LANE, LANES + 2 * LANE, blocks, result(a), result(b), third, UNUSED + 32,
  );
}

/** Writes one representation, padded to whole blocks as SHA-256 wants it. */
@inline
function represent(job: u32, to: usize, blocks: i32): void {
  const cell = <i32>(job >>> 2);
  const index = job & 3;
  const mask = levelMask(cell);
  const type = cellType(cell);
  const bits = bitLength(cell);
  let d1 = descriptor(cell) & 15;
  let level: u32 = type >= MERKLE_PROOF ? 1 : 0;
  let from = data(cell);
  let size = (bits + 7) >> 3;
  if (mask != 0) {
    const own = type == PRUNED ? 3 : levelOf(mask, index);
    level += own;
    d1 |= (mask & ((1 << own) - 1)) << 5;
    if (index > 0 && type != PRUNED) {
      from = hashes + ((<usize>(slot(cell) + <i32>index - 1)) << 5);
      size = 32;
    }
  }
  store<u16>(to, <u16>(d1 | (bitsDescriptor(bits) << 8)));
  let at: usize = 0;
  do {
    v128.store(to + 2 + at, v128.load(from + at));
    at += 16;
  } while (at < <usize>size);
  const end = addChildren(to + 2 + <usize>size, refsAt(cell), refCount(cell), level);
  pad(to, end, blocks);
}

/** The level at which a cell has its hash number `index`. */
@inline
function levelOf(mask: u32, index: u32): u32 {
  let level: u32 = 0;
  for (let found: u32 = 0; found < index; level++) found += (mask >>> level) & 1;
  return level;
}

@inline
function addChildren(to: usize, refs: usize, count: i32, level: u32): usize {
  let hashAt = to + ((<usize>count) << 1);
  for (let k = 0; k < count; k++) {
    const slot = slotAt(load<i32>(refs + ((<usize>k) << 2)), level);
    store<u16>(to + ((<usize>k) << 1), bswap<u16>(load<u16>(depths + (slot << 1))));
    const from = hashes + (slot << 5);
    v128.store(hashAt, v128.load(from));
    v128.store(hashAt, v128.load(from, 16), 16);
    hashAt += 32;
  }
  return hashAt;
}

/** Adds what SHA-256 wants after a message that starts at `from` and ends at `at`. */
@inline
export function pad(from: usize, at: usize, blocks: i32): void {
  const end = from + ((<usize>blocks) << 6);
  const zero = i32x4.splat(0);
  for (let to = at; to < end; to += 16) v128.store(to, zero);
  store<u8>(at, 0x80);
  store<u32>(end - 4, bswap<u32>(<u32>(at - from) << 3));
}
