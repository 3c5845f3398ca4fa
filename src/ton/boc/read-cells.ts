import { BocError } from './boc-error.ts';
import type { BocHeader } from './boc-header.ts';
import { readNumber } from './boc-header.ts';
import { storedHashBytes } from './level-mask.ts';

/** The cells as the file states them; masks and types are not yet held against each other. */
export interface StatedCells {
  readonly count: number;
  readonly dataStart: Uint32Array;
  readonly bitLength: Uint16Array;
  readonly refCount: Uint8Array;
  readonly refs: Uint32Array;
  /** 0 for an ordinary cell, else the first byte of data, whatever it is. */
  readonly type: Uint8Array;
  readonly statedMask: Uint8Array;
  /** Offset of the byte after the cell. */
  readonly end: Uint32Array;
}

const EXOTIC_BIT = 8;
const STORED_HASHES_BIT = 16;

/** Bits of data before the completion tag in the last byte. */
function bitsBeforeTag(bytes: Uint8Array, start: number, d2: number, cell: number): number {
  const last = bytes[start + (d2 >> 1)]!;
  // 0x80 would end a whole byte: the same cell has a shorter form, and two forms of one cell would have two hashes.
  if ((last & 0x7f) === 0) {
    throw new BocError('tag', {
      offset: start + (d2 >> 1),
      cell,
      expected: 'a tag below bit 7',
      found: last,
    });
  }
  const zerosAfterTag = 31 - Math.clz32(last & -last);
  return (d2 >> 1) * 8 + 7 - zerosAfterTag;
}

function readType(bytes: Uint8Array, offset: number, cell: number, bits: number): number {
  const type = bits < 8 ? 0 : bytes[offset]!;
  if (type < 1 || type > 4) {
    throw new BocError('exotic', {
      offset,
      cell,
      expected: 'a type of 1 to 4',
      found: bits < 8 ? `${bits} bits` : type,
    });
  }
  return type;
}

/** The reference at byte `offset`, which is one of `cell`. */
function readRef(bytes: Uint8Array, { refSize, cellCount }: BocHeader, offset: number, cell: number): number {
  const ref =
    refSize === 2
      ? (bytes[offset]! << 8) | bytes[offset + 1]!
      : refSize === 1
        ? bytes[offset]!
        : readNumber(bytes, offset, refSize);
  // Only forward: no cycle is possible, and one backward sweep sees every cell after the cells below it.
  if (ref <= cell || ref >= cellCount) {
    throw new BocError('reference', {
      offset,
      cell,
      expected: `${cell + 1} to ${cellCount - 1}`,
      found: ref,
    });
  }
  return ref;
}

/**
 * Walks the cells in the order of the file.
 * @throws BocError truncated, descriptor, tag, exotic (no known type), reference, trailing (cells end before `total`)
 */
export function readCells(bytes: Uint8Array, header: BocHeader): StatedCells {
  const { cellCount: count, cellsEnd, refSize } = header;
  const dataStart = new Uint32Array(count);
  const bitLength = new Uint16Array(count);
  const refCount = new Uint8Array(count);
  const refs = new Uint32Array(count * 4);
  const type = new Uint8Array(count);
  const statedMask = new Uint8Array(count);
  const end = new Uint32Array(count);
  let p = header.cellsStart;
  for (let cell = 0; cell < count; cell++) {
    const at = p;
    if (p + 2 > cellsEnd)
      throw new BocError('truncated', { offset: p, cell, expected: 'a cell', found: 'the end' });
    const d1 = bytes[p]!;
    const d2 = bytes[p + 1]!;
    const n = d1 & 7;
    if (n > 4)
      throw new BocError('descriptor', { offset: at, cell, expected: 'at most 4 references', found: n });
    // Stored hashes are skipped, never trusted: a block can be made with any.
    const start = p + 2 + (d1 & STORED_HASHES_BIT ? storedHashBytes(d1 >> 5) : 0);
    const refsStart = start + ((d2 + 1) >> 1);
    const cellEnd = refsStart + n * refSize;
    if (cellEnd > cellsEnd) {
      throw new BocError('truncated', {
        offset: at,
        cell,
        expected: `${cellEnd - at} bytes`,
        found: cellsEnd - at,
      });
    }
    const bits = d2 & 1 ? bitsBeforeTag(bytes, start, d2, cell) : d2 << 2;
    dataStart[cell] = start;
    bitLength[cell] = bits;
    refCount[cell] = n;
    statedMask[cell] = d1 >> 5;
    if (d1 & EXOTIC_BIT) type[cell] = readType(bytes, start, cell, bits);
    for (let k = 0; k < n; k++) refs[cell * 4 + k] = readRef(bytes, header, refsStart + k * refSize, cell);
    p = cellEnd;
    end[cell] = p;
  }
  if (p !== cellsEnd)
    throw new BocError('trailing', { offset: p, expected: `the end at ${cellsEnd}`, found: p });
  return { count, dataStart, bitLength, refCount, refs, type, statedMask, end };
}

/**
 * Holds the file's index against the cells: entry i is the end of cell i, counted from the first cell.
 * @throws BocError index
 */
export function checkIndex(
  bytes: Uint8Array,
  header: BocHeader,
  indexStart: number,
  cells: StatedCells,
): void {
  const { offsetSize, cacheBits, cellsStart } = header;
  for (let cell = 0; cell < cells.count; cell++) {
    const offset = indexStart + cell * offsetSize;
    const entry = readNumber(bytes, offset, offsetSize);
    const found = cacheBits ? Math.floor(entry / 2) : entry;
    const expected = cells.end[cell]! - cellsStart;
    if (found !== expected) throw new BocError('index', { offset, cell, expected, found });
  }
}
