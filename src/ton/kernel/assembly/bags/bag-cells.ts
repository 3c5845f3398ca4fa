/** Reads the cells in the order of the file; mirrors boc/read-cells.ts. */
import { cellCount, INPUT, refsAt, setBitLength, setCellType, setData, setDescriptor } from './bag';
import { cacheBits, cellsEnd, cellsStart, indexStart, offsetSize, readNumber, refSize } from './bag-header';
import { BOC, refuse } from '../refuse';

const EXOTIC_BIT: u32 = 8;
const STORED_HASHES_BIT: u32 = 16;
const HASH_AND_DEPTH: usize = 34;

function bad(what: string, cell: i32, at: usize, expected: u64, found: u64): void {
  refuse(BOC, what, cell, <i32>(at - INPUT.start), expected, found);
}

/** Bits of data before the completion tag in the last byte. */
@inline
function bitsBeforeTag(start: usize, d2: u32, cell: i32): i32 {
  const at = start + (d2 >> 1);
  const last = <u32>load<u8>(at);
  // 0x80 would end a whole byte: the same cell has a shorter form, and two forms of one cell would have two hashes.
  if ((last & 0x7f) == 0) bad('tag', cell, at, 0x7f, last);
  return <i32>((d2 >> 1) * 8 + 7 - ctz<u32>(last));
}

@inline
function readType(start: usize, cell: i32, bits: i32): u8 {
  const type: u8 = bits < 8 ? 0 : load<u8>(start);
  if (type < 1 || type > 4) bad('exotic: a type of 1 to 4', cell, start, 4, type);
  return type;
}

/** Only forward references: no cycle is possible, and one backward sweep sees every cell after those below it. */
@inline
function readRefs(at: usize, cell: i32, count: u32): void {
  const to = refsAt(cell);
  for (let k: u32 = 0; k < count; k++) {
    const from = at + <usize>k * <usize>refSize;
    const ref = refSize == 2 ? <u64>bswap<u16>(load<u16>(from)) : readNumber(from, refSize);
    if (ref <= <u64>cell || ref >= <u64>cellCount) bad('reference', cell, from, cellCount - 1, ref);
    store<u32>(to + (k << 2), <u32>ref);
  }
}

export function readCells(): void {
  let at = cellsStart;
  for (let cell = 0; cell < cellCount; cell++) {
    if (at + 2 > cellsEnd) bad('truncated: a cell expected', cell, at, 2, cellsEnd - at);
    const d1 = <u32>load<u8>(at);
    const d2 = <u32>load<u8>(at, 1);
    const refs = d1 & 7;
    if (refs > 4) bad('descriptor: at most 4 references', cell, at, 4, refs);
    // Stored hashes are skipped, never trusted: a block can be made with any.
    const stored = d1 & STORED_HASHES_BIT ? (<usize>popcnt<u32>(d1 >> 5) + 1) * HASH_AND_DEPTH : 0;
    const start = at + 2 + stored;
    const refsStart = start + ((d2 + 1) >> 1);
    const end = refsStart + <usize>refs * <usize>refSize;
    if (end > cellsEnd) bad('truncated', cell, at, end - at, cellsEnd - at);
    const bits = d2 & 1 ? bitsBeforeTag(start, d2, cell) : <i32>(d2 << 2);
    setData(cell, start);
    setBitLength(cell, bits);
    setDescriptor(cell, d1 & ~STORED_HASHES_BIT);
    setCellType(cell, d1 & EXOTIC_BIT ? readType(start, cell, bits) : 0);
    readRefs(refsStart, cell, refs);
    if (indexStart != 0) checkIndex(cell, end);
    at = end;
  }
  if (at != cellsEnd) bad('trailing', cellCount - 1, at, cellsEnd - at, 0);
}

/** Entry i is the end of cell i, counted from the first cell. */
@inline
function checkIndex(cell: i32, end: usize): void {
  const at = indexStart + <usize>cell * <usize>offsetSize;
  const entry = offsetSize == 3
    ? <u64>(bswap<u32>(load<u32>(at)) >>> 8)
    : readNumber(at, offsetSize);
  const found = cacheBits ? entry >> 1 : entry;
  if (found != <u64>(end - cellsStart)) bad('index', cell, at, end - cellsStart, found);
}
