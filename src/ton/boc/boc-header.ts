import { crc32c } from '../hash/crc32c.ts';
import { BocError } from './boc-error.ts';

const GENERIC = 0xb5ee9c72;
const INDEXED = 0x68ff65f3;
const INDEXED_CRC32C = 0xacc3a728;
/** Offsets of cells are kept in 32 bits. */
const MAX_BYTES = 0xffffffff;

/** Header before the cells. */
export interface BocHeader {
  readonly cellCount: number;
  readonly roots: readonly number[];
  /** Bytes of a cell index, 1…4. */
  readonly refSize: number;
  /** Bytes of an index entry, 1…8. */
  readonly offsetSize: number;
  /** Offset of the index, or null without one. */
  readonly indexStart: number | null;
  /** Index entries are shifted by one for the cache bit. */
  readonly cacheBits: boolean;
  readonly cellsStart: number;
  readonly cellsEnd: number;
}

/** Big-endian, at most 8 bytes. Beyond 2^53 inexact, which is far beyond any offset that it is compared with. */
export function readNumber(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[at + i]!;
  return value;
}

interface Form {
  readonly hasIndex: boolean;
  readonly hasCrc: boolean;
  readonly cacheBits: boolean;
  readonly hasRootList: boolean;
  readonly refSize: number;
}

/** A short file is refused here, so that no later read of the header goes outside. */
function need(bytes: Uint8Array, end: number): void {
  if (bytes.length < end) {
    throw new BocError('truncated', { offset: bytes.length, expected: `${end} bytes`, found: bytes.length });
  }
}

function readForm(bytes: Uint8Array): Form {
  need(bytes, 6);
  if (bytes.length > MAX_BYTES) {
    throw new BocError('limit', { offset: 0, expected: `at most ${MAX_BYTES} bytes`, found: bytes.length });
  }
  const magic = readNumber(bytes, 0, 4);
  const second = bytes[4]!;
  let form: Form;
  if (magic === GENERIC) {
    const [hasIndex, hasCrc, cacheBits] = [(second & 128) !== 0, (second & 64) !== 0, (second & 32) !== 0];
    if (second & 0x18) throw new BocError('flags', { offset: 4, expected: 0, found: (second >> 3) & 3 });
    if (cacheBits && !hasIndex) {
      throw new BocError('flags', { offset: 4, expected: 'an index where cache bits are', found: second });
    }
    form = { hasIndex, hasCrc, cacheBits, hasRootList: true, refSize: second & 7 };
  } else if (magic === INDEXED || magic === INDEXED_CRC32C) {
    const hasCrc = magic === INDEXED_CRC32C;
    form = { hasIndex: true, hasCrc, cacheBits: false, hasRootList: false, refSize: second };
  } else {
    throw new BocError('magic', {
      offset: 0,
      expected: 'b5ee9c72, 68ff65f3 or acc3a728',
      found: magic.toString(16),
    });
  }
  if (form.refSize < 1 || form.refSize > 4) {
    throw new BocError('size', { offset: 4, expected: '1 to 4', found: form.refSize });
  }
  return form;
}

/** Numbers of the header that state how much follows. */
interface StatedCounts {
  readonly cellCount: number;
  readonly rootCount: number;
  readonly absent: number;
  /** Bytes of the cells. */
  readonly total: number;
}

function readCounts(bytes: Uint8Array, refSize: number, offsetSize: number): StatedCounts {
  return {
    cellCount: readNumber(bytes, 6, refSize),
    rootCount: readNumber(bytes, 6 + refSize, refSize),
    absent: readNumber(bytes, 6 + 2 * refSize, refSize),
    total: readNumber(bytes, 6 + 3 * refSize, offsetSize),
  };
}

/** The counts decide what is allocated next, so they are held against the bytes that are really there. */
function checkCounts(form: Form, { cellCount, rootCount, absent, total }: StatedCounts): void {
  const offset = 6;
  if (cellCount < 1 || cellCount * 2 > total) {
    throw new BocError('count', {
      offset,
      expected: `1 to ${Math.floor(total / 2)} cells`,
      found: cellCount,
    });
  }
  const maxRoots = form.hasRootList ? cellCount : 1;
  if (rootCount < 1 || rootCount > maxRoots) {
    throw new BocError('count', {
      offset: offset + form.refSize,
      expected: `1 to ${maxRoots} roots`,
      found: rootCount,
    });
  }
  if (absent !== 0) {
    throw new BocError('absent', { offset: offset + 2 * form.refSize, expected: 0, found: absent });
  }
}

function readRoots(
  bytes: Uint8Array,
  start: number,
  refSize: number,
  { cellCount, rootCount }: StatedCounts,
): number[] {
  const roots: number[] = [];
  for (let i = 0; i < rootCount; i++) {
    const offset = start + i * refSize;
    const root = readNumber(bytes, offset, refSize);
    if (root >= cellCount)
      throw new BocError('root', { offset, expected: `below ${cellCount}`, found: root });
    roots.push(root);
  }
  return roots;
}

function checkEnd(bytes: Uint8Array, cellsEnd: number, hasCrc: boolean): void {
  const end = cellsEnd + (hasCrc ? 4 : 0);
  need(bytes, end);
  if (bytes.length > end) {
    throw new BocError('trailing', { offset: end, expected: `${end} bytes`, found: bytes.length });
  }
  if (!hasCrc) return;
  const stored =
    (bytes[cellsEnd]! |
      (bytes[cellsEnd + 1]! << 8) |
      (bytes[cellsEnd + 2]! << 16) |
      (bytes[cellsEnd + 3]! << 24)) >>>
    0;
  const computed = crc32c(bytes, cellsEnd);
  if (stored !== computed) {
    throw new BocError('crc', {
      offset: cellsEnd,
      expected: computed.toString(16),
      found: stored.toString(16),
    });
  }
}

/**
 * Reads everything before the cells. Checks the length of the file and its checksum.
 * @throws BocError
 */
export function readHeader(bytes: Uint8Array, maxCells: number): BocHeader {
  const form = readForm(bytes);
  const { refSize, hasIndex } = form;
  const offsetSize = bytes[5]!;
  if (offsetSize < 1 || offsetSize > 8) {
    throw new BocError('size', { offset: 5, expected: '1 to 8', found: offsetSize });
  }
  const rootsStart = 6 + 3 * refSize + offsetSize;
  need(bytes, rootsStart);
  const counts = readCounts(bytes, refSize, offsetSize);
  const { cellCount, rootCount, total } = counts;
  need(bytes, rootsStart + total);
  checkCounts(form, counts);
  if (cellCount > maxCells) {
    throw new BocError('limit', { offset: 6, expected: `at most ${maxCells} cells`, found: cellCount });
  }
  const indexStart = rootsStart + (form.hasRootList ? rootCount * refSize : 0);
  const cellsStart = indexStart + (hasIndex ? cellCount * offsetSize : 0);
  checkEnd(bytes, cellsStart + total, form.hasCrc);
  const roots = form.hasRootList ? readRoots(bytes, rootsStart, refSize, counts) : [0];
  return {
    cellCount,
    roots,
    refSize,
    offsetSize,
    indexStart: hasIndex ? indexStart : null,
    cacheBits: form.cacheBits,
    cellsStart,
    cellsEnd: cellsStart + total,
  };
}
