/**
 * A cursor over the bits and references of one cell, mirroring boc/cell-slice.ts: every read is held against the cell's
 * end first. There is one; reading a cell within a cell puts the outer one aside (`enter`, `leave`).
 */
import { bitLength, cellType, data, ORDINARY, refCount, refsAt } from './bag';
import { copyBits } from '../copy-bits';
import { clearBytes } from '../move-bytes';
import { CELL, refuse } from '../refuse';

export let cell: i32 = 0;
/** Address of the cell's data. */
export let start: usize = 0;
/** Consumed bits and their end. */
export let bitPosition: i32 = 0;
export let bitEnd: i32 = 0;
/** Consumed references and their end. */
export let refPosition: i32 = 0;
export let refEnd: i32 = 0;

/** Cells may be nested as deep as a bag is (chained signatures), and no deeper. */
const MAX_ASIDE: i32 = 2048;
const ASIDE_BYTES: i32 = 24;
const ASIDE: usize = memory.data(2048 * 24, 16);
let aside: i32 = 0;

/** Forgets what was put aside by a block that was refused. */
export function resetCursor(): void {
  aside = 0;
}

export function bad(what: string, expected: u64, found: u64): void {
  refuse(CELL, what, cell, bitPosition, expected, found);
}

/** To the start of any cell; an exotic cell's data begins with its type byte. */
export function openAny(at: i32): void {
  cell = at;
  start = data(at);
  bitPosition = 0;
  bitEnd = bitLength(at);
  refPosition = 0;
  refEnd = refCount(at);
}

/** To the start of an ordinary cell. */
export function open(at: i32): void {
  openAny(at);
  if (cellType(at) != ORDINARY) bad('exotic: an ordinary cell expected', ORDINARY, cellType(at));
}

function putAside(): void {
  if (aside == MAX_ASIDE) bad('cells nested too deep', MAX_ASIDE, aside);
  const to = ASIDE + <usize>(aside * ASIDE_BYTES);
  store<i32>(to, cell);
  store<u32>(to, <u32>start, 4);
  store<i32>(to, bitPosition, 8);
  store<i32>(to, bitEnd, 12);
  store<i32>(to, refPosition, 16);
  store<i32>(to, refEnd, 20);
  aside++;
}

/** Puts the cursor aside and opens an ordinary cell. */
export function enter(at: i32): void {
  putAside();
  open(at);
}

/** As `enter`, without opening anything. */
export function keep(): void {
  putAside();
}

/** Back to what the last `enter` or `keep` put aside. */
export function restore(): void {
  aside--;
  const from = ASIDE + <usize>(aside * ASIDE_BYTES);
  cell = load<i32>(from);
  start = load<u32>(from, 4);
  bitPosition = load<i32>(from, 8);
  bitEnd = load<i32>(from, 12);
  refPosition = load<i32>(from, 16);
  refEnd = load<i32>(from, 20);
}

/** Checks that the cell is read to its end. */
export function end(what: string): void {
  if (bitPosition != bitEnd) bad(what, 0, bitEnd - bitPosition);
  if (refPosition != refEnd) bad(what, 0, refEnd - refPosition);
}

/** Ends the cell that `enter` opened, of which nothing may be left, and goes back. */
export function leave(what: string): void {
  end(what);
  restore();
}

@inline
function need(bits: i32): void {
  if (bits > bitEnd - bitPosition) bad('underflow of bits', bits, bitEnd - bitPosition);
}

/** The next bits, left-aligned; at least 57 of them are right, if the cell has so many. */
@inline
function nextBits(): u64 {
  return bswap<u64>(load<u64>(start + <usize>(bitPosition >> 3))) << (bitPosition & 7);
}

@inline
export function bit(): bool {
  need(1);
  const at = bitPosition;
  bitPosition = at + 1;
  return ((load<u8>(start + <usize>(at >> 3)) >> (7 - (at & 7))) & 1) != 0;
}

/** Unsigned number of 0…32 bits, not consumed. */
@inline
export function peek(bits: i32): u32 {
  need(bits);
  return bits == 0 ? 0 : <u32>(nextBits() >>> (64 - bits));
}

/** Unsigned number of 0…32 bits. */
@inline
export function uint(bits: i32): u32 {
  const value = peek(bits);
  bitPosition += bits;
  return value;
}

/** Unsigned number of 0…64 bits. */
export function uint64(bits: i32): u64 {
  need(bits);
  if (bits == 0) return 0;
  const at = start + <usize>(bitPosition >> 3);
  const shift = <u64>(bitPosition & 7);
  // Nine bytes, so that 64 bits are there from any position.
  const high = bswap<u64>(load<u64>(at)) << shift;
  const value = high | (<u64>load<u8>(at, 8) >> (8 - shift));
  bitPosition += bits;
  return value >>> (64 - bits);
}

@inline
export function skipBits(bits: i32): void {
  need(bits);
  bitPosition += bits;
}

/** 256 bits from any position. */
export function bytes32(to: usize): void {
  need(256);
  const at = start + <usize>(bitPosition >> 3);
  const shift = bitPosition & 7;
  bitPosition += 256;
  if (shift == 0) {
    v128.store(to, v128.load(at));
    v128.store(to, v128.load(at, 16), 16);
  } else {
    const back = 8 - shift;
    v128.store(to, v128.or(i8x16.shl(v128.load(at), shift), i8x16.shr_u(v128.load(at, 1), back)));
    v128.store(to, v128.or(i8x16.shl(v128.load(at, 16), shift), i8x16.shr_u(v128.load(at, 17), back)), 16);
  }
}

/** The next reference, as a cell index. */
export function ref(): i32 {
  if (refPosition >= refEnd) bad('underflow of references', 1, 0);
  const at = refsAt(cell) + ((<usize>refPosition) << 2);
  refPosition++;
  return load<i32>(at);
}

/** `Maybe ^X`: the cell index, or -1. */
export function maybeRef(): i32 {
  return bit() ? ref() : -1;
}

/**
 * `VarUInteger n`: a length in bytes of `lengthBits` bits, then the number; written to `to` as `width` (16 or 32)
 * bytes, least significant first.
 */
export function varUint(lengthBits: i32, to: usize, width: i32): void {
  const size = <i32>peek(lengthBits);
  need(lengthBits + size * 8);
  bitPosition += lengthBits;
  clearBytes(to, width);
  if (size <= 8) {
    store<u64>(to, uint64(size * 8));
    return;
  }
  const first = uint64((size & 7) * 8);
  let at = to + <usize>(size & ~7);
  if (size & 7) store<u64>(at, first);
  while (at > to) {
    at -= 8;
    store<u64>(at, uint64(64));
  }
}

/** VarUInteger of at most 7 bytes. */
export function varUint64(lengthBits: i32): u64 {
  const size = <i32>peek(lengthBits);
  need(lengthBits + size * 8);
  bitPosition += lengthBits;
  return uint64(size * 8);
}

/** `Grams`, to 16 bytes. */
@inline
export function coins(to: usize): void {
  varUint(4, to, 16);
}

/** Skips `Grams`. */
export function skipCoins(): void {
  const size = <i32>peek(4);
  skipBits(4 + size * 8);
}

/** A constructor tag of up to 32 bits. */
export function expectTag(bits: i32, tag: u32, what: string): void {
  const found = peek(bits);
  if (found != tag) bad(what, tag, found);
  bitPosition += bits;
}

/** Moves `count` bits into a key at bit `at`; bits of the key after them are undefined up to 8 bytes further. */
export function copyKeyBits(key: usize, at: i32, count: i32): void {
  need(count);
  let done = 0;
  const odd = at & 7;
  if (odd != 0 && count > 0) {
    const room = 8 - odd;
    done = min<i32>(room, count);
    const to = key + <usize>(at >> 3);
    const low = room - done;
    const kept = <u32>load<u8>(to) & ~(((1 << done) - 1) << low);
    store<u8>(to, <u8>(kept | (uint(done) << low)));
  }
  if (done < count) {
    copyBits(start, bitPosition, count - done, key + <usize>((at + done) >> 3));
    bitPosition += count - done;
  }
}
