import { crc32c } from '../../../../src/ton/hash/crc32c.ts';

/** A cell in file form; `stored` are its stored hashes and depths, which set descriptor bit 4. */
export interface MadeCell {
  readonly data?: readonly number[];
  readonly refs?: readonly number[];
  readonly exotic?: boolean;
  readonly mask?: number;
  readonly stored?: readonly number[];
  /** Overrides for wrong cells. */
  readonly d1?: number;
  readonly d2?: number;
}

/** A file as it should be, and what to do wrong in it. */
export interface MadeBag {
  readonly cells: readonly MadeCell[];
  readonly magic?: number;
  readonly index?: boolean;
  readonly crc?: boolean;
  readonly cacheBits?: boolean;
  readonly refSize?: number;
  readonly offsetSize?: number;
  readonly roots?: readonly number[];
  readonly rootCount?: number;
  readonly absent?: number;
  readonly cellCount?: number;
  readonly total?: number;
  readonly flags?: number;
  readonly changeIndex?: (entry: number, cell: number) => number;
}

function big(value: number, size: number): number[] {
  const hex = BigInt(value)
    .toString(16)
    .padStart(size * 2, '0');
  return [...Buffer.from(hex.slice(-size * 2), 'hex')];
}

function cellBytes(cell: MadeCell, refSize: number): number[] {
  const { data = [], refs = [], exotic = false, mask = 0, stored } = cell;
  const d1 = cell.d1 ?? refs.length | (exotic ? 8 : 0) | (stored ? 16 : 0) | (mask << 5);
  const d2 = cell.d2 ?? data.length * 2;
  return [d1, d2, ...(stored ?? []), ...data, ...refs.flatMap((ref) => big(ref, refSize))];
}

/** Puts the right checksum at the end of bytes whose last four are one. */
export function withCrc(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const crc = crc32c(copy, copy.length - 4);
  for (let i = 0; i < 4; i++) copy[copy.length - 4 + i] = crc >>> (8 * i);
  return copy;
}

/** A bag of cells built byte by byte as boc.tlb defines. */
export function makeBag(bag: MadeBag): Uint8Array {
  const { refSize = 1, offsetSize = 2, crc = false, cacheBits = false, absent = 0, magic = 0xb5ee9c72 } = bag;
  const generic = magic === 0xb5ee9c72;
  const index = bag.index ?? !generic;
  const hasCrc = generic ? crc : magic === 0xacc3a728;
  const cells = bag.cells.map((cell) => cellBytes(cell, refSize));
  const roots = bag.roots ?? [0];
  const total = bag.total ?? cells.flat().length;
  const bits = (index ? 128 : 0) | (hasCrc ? 64 : 0) | (cacheBits ? 32 : 0);
  const change = bag.changeIndex ?? ((entry: number) => entry);
  let end = 0;
  const entries = cells.map((cell, i) => {
    end += cell.length;
    return change(cacheBits ? end * 2 + (i & 1) : end, i);
  });
  const bytes = [
    ...big(magic, 4),
    bag.flags ?? (generic ? bits | refSize : refSize),
    offsetSize,
    ...big(bag.cellCount ?? cells.length, refSize),
    ...big(bag.rootCount ?? roots.length, refSize),
    ...big(absent, refSize),
    ...big(total, offsetSize),
    ...(generic ? roots.flatMap((root) => big(root, refSize)) : []),
    ...(index ? entries.flatMap((entry) => big(entry, offsetSize)) : []),
    ...cells.flat(),
    ...(hasCrc ? [0, 0, 0, 0] : []),
  ];
  return hasCrc ? withCrc(Uint8Array.from(bytes)) : Uint8Array.from(bytes);
}
