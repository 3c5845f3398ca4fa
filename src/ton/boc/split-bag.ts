import { readHeader, readNumber } from './boc-header.ts';
import { storedHashBytes } from './level-mask.ts';

/*
 * A block in parts that compress better than its bytes: descriptors beside descriptors, references as distances, data
 * beside data. The index of the cells is left out, since it follows from their sizes. So do its cache bits, almost always:
 * a cell has one if more than one reference names it.
 */

const MAGIC = Uint8Array.of(0xb5, 0xee, 0x9c, 0x72);
/** What a record has before its bag of cells is shorter. */
const MAX_PREFIX = 512;
const MAX_CELLS = 1 << 24;
const MAX_REFS = 4;
const EXOTIC_BIT = 8;
const STORED_HASHES_BIT = 16;
/** Numbers at the start of the first part. */
const FACTS = 6;

/** Numbers that the bytes of a bag follow from, with its parts. */
interface BagShape {
  readonly cellCount: number;
  readonly refSize: number;
  /** Bytes of an index entry; 0 without an index. */
  readonly entrySize: number;
  /** 1: index entries are shifted by one for the cache bit. */
  readonly cacheBits: number;
}

/** The form of blocks in sealed files (port `ValuePacking` of the log). */
export const BAG_PACKING = { name: 'boc/1', split: splitBag, join: joinBag } as const;

/**
 * Splits a value that ends with a bag of cells into seven parts: what is before and after the cells, first descriptors,
 * second descriptors, references, data of ordinary cells, data of exotic cells and stored hashes, cells whose cache bit is unusual. null if it is no such value.
 */
function splitBag(value: Uint8Array): readonly Uint8Array[] | null {
  const start = Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, MAX_PREFIX)).indexOf(
    MAGIC,
  );
  if (start < 0) return null;
  const bag = value.subarray(start);
  const header = findHeader(bag);
  if (!header) return null;
  const { cellCount, refSize, cellsStart, cellsEnd, indexStart } = header;
  const entrySize = indexStart === null ? 0 : header.offsetSize;
  const shape = { cellCount, refSize, entrySize, cacheBits: header.cacheBits ? 1 : 0 };
  const seen = new Uint8Array(cellCount);
  const cells = splitCells(bag.subarray(cellsStart, cellsEnd), shape, seen);
  if (!cells) return null;
  const unusual = shape.cacheBits ? findUnusual(bag, indexStart ?? 0, shape, seen) : new Uint8Array(0);
  const headEnd = start + (indexStart ?? cellsStart);
  const facts = new Uint32Array([start, headEnd, cellCount, refSize, entrySize, shape.cacheBits]);
  const head = [new Uint8Array(facts.buffer), value.subarray(0, headEnd), bag.subarray(cellsEnd)];
  return [Buffer.concat(head), ...cells, unusual];
}

/** 1 for each cell whose cache bit is not as expected; empty if there is none. `seen`: references to the cell, up to 2. */
function findUnusual(
  bag: Uint8Array,
  indexStart: number,
  { cellCount, entrySize }: BagShape,
  seen: Uint8Array,
): Uint8Array {
  const unusual = new Uint8Array(cellCount);
  let found = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    unusual[cell] = (bag[indexStart + (cell + 1) * entrySize - 1]! & 1) ^ (seen[cell]! >> 1);
    found |= unusual[cell]!;
  }
  return found ? unusual : new Uint8Array(0);
}

function findHeader(bag: Uint8Array): ReturnType<typeof readHeader> | null {
  try {
    return readHeader(bag, MAX_CELLS);
  } catch {
    // Not a bag that a reader would take: its bytes are kept as they are.
    return null;
  }
}

/** `seen` gets the references to each cell, up to 2. */
function splitCells(
  bytes: Uint8Array,
  { cellCount, refSize }: BagShape,
  seen: Uint8Array,
): Uint8Array[] | null {
  const first = new Uint8Array(cellCount);
  const second = new Uint8Array(cellCount);
  const refs = new Distances(cellCount * MAX_REFS * 5);
  const from = { bytes, at: 0 };
  const ordinary = { bytes: new Uint8Array(bytes.length), at: 0 };
  const exotic = { bytes: new Uint8Array(bytes.length), at: 0 };
  for (let cell = 0; cell < cellCount; cell++) {
    if (from.at + 2 > bytes.length) return null;
    const d1 = bytes[from.at++]!;
    const d2 = bytes[from.at++]!;
    if ((d1 & 7) > MAX_REFS) return null;
    const [hashes, size] = [getHashBytes(d1), (d2 + 1) >> 1];
    if (from.at + hashes + size + (d1 & 7) * refSize > bytes.length) return null;
    moveBytes(from, exotic, hashes);
    moveBytes(from, d1 & EXOTIC_BIT ? exotic : ordinary, size);
    first[cell] = d1;
    second[cell] = d2;
    for (let i = 0; i < (d1 & 7); i++, from.at += refSize) {
      const ref = readNumber(bytes, from.at, refSize);
      if (!refs.write(ref, cell)) return null;
      if (seen[ref]! < 2) seen[ref]!++;
    }
  }
  if (from.at !== bytes.length) return null;
  return [first, second, refs.used(), getUsed(ordinary), getUsed(exotic)];
}

/** The value that `splitBag` gave these parts of. */
function joinBag(parts: readonly Uint8Array[]): Uint8Array {
  const [head, first, second, refs, ordinary, exotic, unusual] = parts as BagParts;
  const facts = new Uint32Array(new Uint8Array(head.subarray(0, FACTS * 4)).buffer);
  const [, headEnd, cellCount, refSize, entrySize, cacheBits] = facts as unknown as FactNumbers;
  const tail = head.subarray(FACTS * 4 + headEnd);
  let references = 0;
  for (let cell = 0; cell < cellCount; cell++) references += first[cell]! & 7;
  const cellBytes = 2 * cellCount + references * refSize + ordinary.length + exotic.length;
  const cellsStart = headEnd + cellCount * entrySize;
  const value = new Uint8Array(cellsStart + cellBytes + tail.length);
  value.set(head.subarray(FACTS * 4, FACTS * 4 + headEnd));
  const distances = new Distances(refs);
  const seen = new Uint8Array(cellCount);
  const ends = new Uint32Array(cellCount);
  const [plain, special] = [
    { bytes: ordinary, at: 0 },
    { bytes: exotic, at: 0 },
  ];
  const to = { bytes: value, at: cellsStart };
  for (let cell = 0; cell < cellCount; cell++) {
    const d1 = first[cell]!;
    const d2 = second[cell]!;
    value[to.at++] = d1;
    value[to.at++] = d2;
    moveBytes(special, to, getHashBytes(d1));
    moveBytes(d1 & EXOTIC_BIT ? special : plain, to, (d2 + 1) >> 1);
    for (let i = 0; i < (d1 & 7); i++, to.at += refSize) {
      const ref = distances.read(cell);
      writeNumber(to, refSize, ref);
      if (seen[ref]! < 2) seen[ref]!++;
    }
    ends[cell] = to.at - cellsStart;
  }
  value.set(tail, to.at);
  for (let cell = 0; cell < cellCount && entrySize > 0; cell++) {
    const bit = (seen[cell]! >> 1) ^ (unusual[cell] ?? 0);
    const entry = cacheBits ? ends[cell]! * 2 + bit : ends[cell]!;
    writeNumber({ bytes: value, at: headEnd + cell * entrySize }, entrySize, entry);
  }
  return value;
}

type BagParts = readonly [
  head: Uint8Array,
  first: Uint8Array,
  second: Uint8Array,
  refs: Uint8Array,
  ordinary: Uint8Array,
  exotic: Uint8Array,
  unusual: Uint8Array,
];
type FactNumbers = readonly [
  start: number,
  headEnd: number,
  cellCount: number,
  refSize: number,
  entrySize: number,
  cacheBits: number,
];

/** Bytes of the hashes and depths that a cell begins with. */
const getHashBytes = (d1: number): number => (d1 & STORED_HASHES_BIT ? storedHashBytes(d1 >> 5) : 0);

/** A place in bytes. */
interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** Copies bytes and moves both places. Cells are short: a loop is faster than a view and `set`. */
function moveBytes(from: Cursor, to: Cursor, size: number): void {
  for (let i = 0; i < size; i++) to.bytes[to.at++] = from.bytes[from.at++]!;
}

const getUsed = ({ bytes, at }: Cursor): Uint8Array => bytes.subarray(0, at);

/** Writes a number, big-endian; the place stays. */
function writeNumber({ bytes, at }: Cursor, size: number, value: number): void {
  for (let i = size - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256))
    bytes[at + i] = rest & 0xff;
}

/** References as distances from the cell that has them, mostly 0: 7 bits a byte. */
class Distances {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array | number) {
    this.#bytes = typeof bytes === 'number' ? new Uint8Array(bytes) : bytes;
  }

  /** False for a reference that is not to a later cell. */
  write(ref: number, cell: number): boolean {
    let rest = ref - cell - 1;
    if (rest < 0) return false;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[this.#at++] = (rest % 0x80) | 0x80;
    this.#bytes[this.#at++] = rest;
    return true;
  }

  read(cell: number): number {
    let ref = cell + 1;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at++] ?? 0;
      ref += (byte & 0x7f) * scale;
      if (byte < 0x80) return ref;
    }
  }

  used(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
}
