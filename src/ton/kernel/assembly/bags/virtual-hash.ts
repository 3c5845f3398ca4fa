/**
 * Hashes of cells outside any bag: inline bodies and inits, and normalised messages. They are grouped by length until
 * four go through SHA-256 together.
 */
import { bitsDescriptor, levelMask } from './bag';
import { addCompletionTag, copyBits } from '../copy-bits';
import { depthAtLevel, depthOf, hashAtLevel, hashOf, pad } from './hash-cells';
import { copyHash } from '../refuse';
import { sha256Four, sha256One } from '../../build/sha256';

const LANE: usize = 384;
/** By number of blocks (1…5) four messages. */
const BINS: usize = memory.data(6 * 4 * 384, 16);
/** By number of blocks: how many wait, and where their hashes go. */
const WAITING: usize = memory.data(6 * 20, 16);
const UNUSED: usize = memory.data(32, 16);
const SCRATCH: usize = memory.data(384, 16);
const LOWER: usize = memory.data(32, 16);

export function resetVirtual(): void {
  memory.fill(WAITING, 0, 6 * 20);
}

@inline
function bin(blocks: i32, lane: i32): usize {
  return BINS + <usize>(blocks * 4 + lane) * LANE;
}
@inline
function waiting(blocks: i32): usize {
  return WAITING + <usize>(blocks * 20);
}

/** Takes a place among the messages of so many bytes; the hash goes to `to`, which must not move until the flush. */
function takePlace(size: usize, to: usize): usize {
  const blocks = <i32>((size + 9 + 63) >> 6);
  const at = waiting(blocks);
  if (load<i32>(at) == 4) run(blocks);
  const lane = load<i32>(at);
  store<i32>(at, lane + 1);
  store<u32>(at + ((<usize>lane) << 2), <u32>to, 4);
  return bin(blocks, lane);
}

@inline
function target(at: usize, lane: i32): usize {
  return load<u32>(at + ((<usize>lane) << 2), 4);
}

function run(blocks: i32): void {
  const at = waiting(blocks);
  const count = load<i32>(at);
  store<i32>(at, 0);
  if (count == 0) return;
  if (count == 1) {
    sha256One(bin(blocks, 0), blocks, target(at, 0));
    return;
  }
  const third = count > 2 ? target(at, 2) : UNUSED;
  const fourth = count > 3 ? target(at, 3) : UNUSED;
  sha256Four(
    bin(blocks, 0), bin(blocks, 1), bin(blocks, 2), bin(blocks, 3), blocks, target(at, 0), target(at, 1), third, fourth,
  );
}

/** Computes what waits. */
export function flushVirtual(): void {
  for (let blocks = 1; blocks <= 5; blocks++) run(blocks);
}

/** Descriptors and data; returns where the children's depths start. */
function writeData(to: usize, d1: u32, from: usize, bit: i32, bits: i32): usize {
  store<u16>(to, <u16>(d1 | (bitsDescriptor(bits) << 8)));
  const size = copyBits(from, bit, bits, to + 2);
  addCompletionTag(to + 2, bits);
  return to + 2 + <usize>size;
}

/**
 * Hashes an ordinary cell of `bits` bits from bit `bit` of `from` and `count` references at `refs`. Uses the
 * references' representation hashes; the cell has level 0.
 */
export function hashFlat(from: usize, bit: i32, bits: i32, refs: usize, count: i32, to: usize): void {
  const size = <usize>(2 + ((bits + 7) >> 3) + count * 34);
  const place = takePlace(size, to);
  let at = writeData(place, <u32>count, from, bit, bits);
  for (let k = 0; k < count; k++) {
    store<u16>(at, bswap<u16>(<u16>depthOf(load<i32>(refs + ((<usize>k) << 2)))));
    at += 2;
  }
  for (let k = 0; k < count; k++) {
    copyHash(hashOf(load<i32>(refs + ((<usize>k) << 2))), at);
    at += 32;
  }
  pad(place, at, <i32>((size + 9 + 63) >> 6));
}

/** As `hashFlat`, with the level that the references give it. */
export function hashRest(from: usize, bit: i32, bits: i32, refs: usize, count: i32, to: usize): void {
  let mask: u32 = 0;
  for (let k = 0; k < count; k++) mask |= levelMask(load<i32>(refs + ((<usize>k) << 2)));
  if (mask == 0) hashFlat(from, bit, bits, refs, count, to);
  else hashLevels(mask, from, bit, bits, refs, count, to);
}

/** One hash a level, each with the lower one as its data. Rare, so computed at once and singly. */
function hashLevels(mask: u32, from: usize, bit: i32, bits: i32, refs: usize, count: i32, to: usize): void {
  for (let level: u32 = 0; level <= 3; level++) {
    if (level > 0 && !(mask & (1 << (level - 1)))) continue;
    const d1 = <u32>count | ((mask & ((1 << level) - 1)) << 5);
    let at = writeData(SCRATCH, d1, from, bit, bits);
    if (level > 0) {
      copyHash(LOWER, SCRATCH + 2);
      at = SCRATCH + 2 + 32;
    }
    for (let k = 0; k < count; k++) {
      store<u16>(at, bswap<u16>(<u16>depthAtLevel(load<i32>(refs + ((<usize>k) << 2)), level)));
      at += 2;
    }
    for (let k = 0; k < count; k++) {
      copyHash(hashAtLevel(load<i32>(refs + ((<usize>k) << 2)), level), at);
      at += 32;
    }
    const blocks = <i32>((at - SCRATCH + 9 + 63) >> 6);
    pad(SCRATCH, at, blocks);
    sha256One(SCRATCH, blocks, LOWER);
  }
  copyHash(LOWER, to);
}

/** An ordinary cell of `bits` bits at `from` (from bit 0) and one reference of which hash and depth are known. */
export function hashOver(from: usize, bits: i32, hash: usize, depth: u32, to: usize): void {
  const size = <usize>(2 + ((bits + 7) >> 3) + 34);
  const place = takePlace(size, to);
  const at = writeData(place, 1, from, 0, bits);
  store<u16>(at, bswap<u16>(<u16>depth));
  copyHash(hash, at + 2);
  pad(place, at + 34, <i32>((size + 9 + 63) >> 6));
}
