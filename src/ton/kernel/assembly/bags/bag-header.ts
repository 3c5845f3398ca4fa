/** Reads the header before the cells; mirrors boc/boc-header.ts. */
import { INPUT, inputSize, reserveCells } from './bag';
import { crc32c } from './crc32c';
import { BOC, refuse } from '../refuse';

const GENERIC: u32 = 0xb5ee9c72;
const INDEXED: u32 = 0x68ff65f3;
const INDEXED_CRC32C: u32 = 0xacc3a728;
const MAX_CELLS: u64 = 1 << 24;

/** Bytes of a cell index, 1…4. */
export let refSize: i32 = 0;
/** Bytes of an index entry, 1…8. */
export let offsetSize: i32 = 0;
/** Address of the index; 0 without one. */
export let indexStart: usize = 0;
/** Index entries are shifted by one for the cache bit. */
export let cacheBits: bool = false;
export let cellsStart: usize = 0;
export let cellsEnd: usize = 0;

function bad(what: string, at: usize, expected: u64, found: u64): void {
  refuse(BOC, what, -1, <i32>(at - INPUT.start), expected, found);
}

/** Big-endian, at most 8 bytes. */
@inline
export function readNumber(at: usize, size: i32): u64 {
  let value: u64 = 0;
  for (let i = 0; i < size; i++) value = (value << 8) | <u64>load<u8>(at + <usize>i);
  return value;
}

function need(size: u64): void {
  if (<u64>inputSize < size) bad('truncated', INPUT.start + inputSize, size, inputSize);
}

function checkCrc(end: usize): void {
  const stored = load<u32>(end);
  const computed = crc32c(INPUT.start, end - INPUT.start);
  if (stored != computed) bad('crc', end, computed, stored);
}

/** The one root's index; the counts are held against the bytes that are really there before anything is allocated. */
function readCounts(start: usize, hasRootList: bool, hasIndex: bool, hasCrc: bool): void {
  const counts = start + 6;
  const rootsStart = 6 + 3 * refSize + offsetSize;
  need(rootsStart);
  const cells = readNumber(counts, refSize);
  const roots = readNumber(counts + <usize>refSize, refSize);
  const absent = readNumber(counts + <usize>(2 * refSize), refSize);
  const total = readNumber(counts + <usize>(3 * refSize), offsetSize);
  const size = <u64>inputSize;
  if (total > size - <u64>rootsStart) bad('truncated', start + inputSize, total, size);
  if (cells < 1 || cells * 2 > total) bad('count of cells', counts, total / 2, cells);
  if (roots < 1 || roots > (hasRootList ? cells : 1)) bad('count of roots', counts + <usize>refSize, 1, roots);
  if (absent != 0) bad('absent cells', counts + <usize>(2 * refSize), 0, absent);
  if (cells > MAX_CELLS) bad('limit of cells', counts, MAX_CELLS, cells);
  const indexAt = <u64>rootsStart + (hasRootList ? roots * <u64>refSize : 0);
  const cellsAt = indexAt + (hasIndex ? cells * <u64>offsetSize : 0);
  const end = cellsAt + total + (hasCrc ? 4 : 0);
  need(end);
  if (size > end) bad('trailing', start + <usize>end, end, size);
  cellsStart = start + <usize>cellsAt;
  cellsEnd = cellsStart + <usize>total;
  indexStart = hasIndex ? start + <usize>indexAt : 0;
  if (hasCrc) checkCrc(cellsEnd);
  const root = hasRootList ? readNumber(start + <usize>rootsStart, refSize) : 0;
  for (let i: u64 = 0; hasRootList && i < roots; i++) {
    const at = start + <usize>rootsStart + <usize>i * <usize>refSize;
    if (readNumber(at, refSize) >= cells) bad('root', at, cells, readNumber(at, refSize));
  }
  if (roots != 1) bad('root: one expected', start, 1, roots);
  reserveCells(<i32>cells, <i32>root);
}

export function readHeader(): void {
  need(6);
  const start = INPUT.start;
  const magic = bswap<u32>(load<u32>(start));
  const second = <i32>load<u8>(start, 4);
  cacheBits = false;
  offsetSize = <i32>load<u8>(start, 5);
  let hasIndex = true;
  let hasCrc = magic == INDEXED_CRC32C;
  const generic = magic == GENERIC;
  if (generic) {
    hasIndex = (second & 128) != 0;
    hasCrc = (second & 64) != 0;
    cacheBits = (second & 32) != 0;
    if (second & 0x18) bad('flags', start + 4, 0, second);
    if (cacheBits && !hasIndex) bad('flags: cache bits without an index', start + 4, 0, second);
    refSize = second & 7;
  } else {
    if (magic != INDEXED && magic != INDEXED_CRC32C) bad('magic', start, GENERIC, magic);
    refSize = second;
  }
  if (refSize < 1 || refSize > 4) bad('size of a reference', start + 4, 4, refSize);
  if (offsetSize < 1 || offsetSize > 8) bad('size of an offset', start + 5, 8, offsetSize);
  readCounts(start, generic, hasIndex, hasCrc);
}
