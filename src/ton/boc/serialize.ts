import { crc32c } from '../hash/crc32c.ts';
import { sha256 } from '../hash/sha256.ts';
import { addCompletionTag, bitsDescriptor, copyBits } from './bits.ts';
import type { Boc } from './boc.ts';
import { orderCells } from './cell-order.ts';
import type { CellSlice } from './cell-slice.ts';

const CRC_BYTES = 4;

/** Root to write: a cell of the bag, or the rest of one. */
interface Root {
  /** Reference count, exotic bit and level mask. */
  readonly d1: number;
  readonly bitLength: number;
  readonly refs: readonly number[];
  /** Writes the data bits with completion tag. */
  readonly writeData: (target: Uint8Array, at: number) => void;
}

/** Bytes that hold an unsigned number, at least one. */
function byteWidth(value: number): number {
  let width = 1;
  for (let rest = value; rest > 0xff; rest = Math.floor(rest / 256)) width++;
  return width;
}

function writeNumber(target: Uint8Array, at: number, size: number, value: number): number {
  for (let i = size - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256))
    target[at + i] = rest & 0xff;
  return at + size;
}

function descriptor(boc: Boc, cell: number): number {
  return boc.refCount[cell]! | (boc.type[cell] === 0 ? 0 : 8) | (boc.levelMask[cell]! << 5);
}

/** Numbers in the header of a bag with one root. */
interface BagSizes {
  readonly cellCount: number;
  /** Bytes of a cell index. */
  readonly refSize: number;
  /** Bytes of an offset. */
  readonly offsetSize: number;
  /** Bytes of the cells. */
  readonly total: number;
  readonly crc: boolean;
}

/** One root, no index. The flags byte is 0x40 if a CRC32C ends the bag, plus the width of a cell index. */
function writeHeader(bag: Uint8Array, { cellCount, refSize, offsetSize, total, crc }: BagSizes): number {
  let at = writeNumber(bag, 0, 4, 0xb5ee9c72);
  bag[at++] = (crc ? 0x40 : 0) | refSize;
  bag[at++] = offsetSize;
  at = writeNumber(bag, at, refSize, cellCount);
  at = writeNumber(bag, at, refSize, 1);
  at = writeNumber(bag, at, refSize, 0);
  at = writeNumber(bag, at, offsetSize, total);
  return writeNumber(bag, at, refSize, 0);
}

function writeBag(boc: Boc, root: Root, crc: boolean): Uint8Array {
  const { cells, getPlace } = orderCells(boc, root.refs);
  const cellCount = cells.length + 1;
  const refSize = byteWidth(cellCount);
  let total = 2 + ((root.bitLength + 7) >> 3) + root.refs.length * refSize;
  for (const cell of cells) total += 2 + ((boc.bitLength[cell]! + 7) >> 3) + boc.refCount[cell]! * refSize;
  const offsetSize = byteWidth(total);
  const cellsStart = 6 + 4 * refSize + offsetSize;
  const bag = new Uint8Array(cellsStart + total + (crc ? CRC_BYTES : 0));
  let at = writeHeader(bag, { cellCount, refSize, offsetSize, total, crc });
  bag[at] = root.d1;
  bag[at + 1] = bitsDescriptor(root.bitLength);
  root.writeData(bag, at + 2);
  at += 2 + ((root.bitLength + 7) >> 3);
  for (const ref of root.refs) at = writeNumber(bag, at, refSize, getPlace(ref));
  for (const cell of cells) {
    const bits = boc.bitLength[cell]!;
    bag[at] = descriptor(boc, cell);
    bag[at + 1] = bitsDescriptor(bits);
    at += 2;
    // Bits beyond the length are the tag and zeros, as in the source.
    for (let from = boc.dataStart[cell]!, end = from + ((bits + 7) >> 3); from < end; from++) {
      bag[at++] = boc.bytes[from]!;
    }
    for (let k = 0; k < boc.refCount[cell]!; k++) {
      at = writeNumber(bag, at, refSize, getPlace(boc.refs[cell * 4 + k]!));
    }
  }
  if (crc) writeCrc(bag, at);
  return bag;
}

function writeCrc(bag: Uint8Array, at: number): void {
  const crc = crc32c(bag, at);
  for (let i = 0; i < CRC_BYTES; i++) bag[at + i] = crc >>> (8 * i);
}

function refsFrom(boc: Boc, cell: number, first: number, count: number): number[] {
  const refs: number[] = [];
  for (let at = cell * 4 + first, end = at + count; at < end; at++) refs.push(boc.refs[at]!);
  return refs;
}

/**
 * Returns the cell's tree as its own bag: one root, CRC32C, no index, each distinct cell once. The bytes equal
 * @ton/core's `toBoc()`. Exotic cells stay exotic; `isComplete` shows whether the tree is complete.
 * `crc`: true to append the CRC32C.
 */
export function serializeCell(boc: Boc, cell: number, crc = true): Uint8Array {
  const bitLength = boc.bitLength[cell]!;
  const start = boc.dataStart[cell]!;
  const root: Root = {
    d1: descriptor(boc, cell),
    bitLength,
    refs: refsFrom(boc, cell, 0, boc.refCount[cell]!),
    writeData: (target, at) => target.set(boc.bytes.subarray(start, start + ((bitLength + 7) >> 3)), at),
  };
  return writeBag(boc, root, crc);
}

/** Serialises the rest of a slice as an ordinary cell and a bag of its own, as `serializeCell`. The slice is not moved. */
export function serializeSlice(slice: CellSlice, crc = true): Uint8Array {
  const { boc, cell, bitsLeft, rest } = slice;
  const refs = refsFrom(boc, cell, slice.refPosition, slice.refsLeft);
  let mask = 0;
  for (const ref of refs) mask |= boc.levelMask[ref]!;
  const root: Root = {
    d1: refs.length | (mask << 5),
    bitLength: bitsLeft,
    refs,
    writeData: (target, at) => {
      copyBits(rest, target, at);
      addCompletionTag(target, at, bitsLeft);
    },
  };
  return writeBag(boc, root, crc);
}

/** Whether the cell's tree has no pruned branch, so that its serialisation is all of it. */
export function isComplete(boc: Boc, cell: number): boolean {
  return boc.complete[cell] === 1;
}

/** The representation of a cell without data and references is its two descriptors, both 0. */
export const EMPTY_CELL_HASH: Uint8Array = sha256(new Uint8Array(2));
/** `te6cckEBAQEAAgAAAEysuc0=` in base64. */
export const EMPTY_CELL_BOC: Uint8Array = makeEmptyCellBoc();

function makeEmptyCellBoc(): Uint8Array {
  const bag = new Uint8Array(17);
  const at = writeHeader(bag, { cellCount: 1, refSize: 1, offsetSize: 1, total: 2, crc: true }) + 2;
  writeCrc(bag, at);
  return bag;
}
