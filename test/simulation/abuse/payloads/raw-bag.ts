import { crc32c } from '../../../../src/ton/hash/crc32c.ts';

/** A cell as written, including invalid forms. */
export interface RawCell {
  /** Text of 0 and 1. */
  readonly bits: string;
  /** Indices of cells of the same bag. */
  readonly refs: readonly number[];
  /** Its first byte is then its type. */
  readonly exotic?: boolean;
}

/** Values of the header in place of the true ones. */
export interface BagLies {
  readonly cells?: number;
  readonly roots?: number;
  readonly rootIndex?: number;
  readonly totalBytes?: number;
  readonly badCrc?: boolean;
  /** Bytes of an index of a cell, 1 to 4. Default: as many as it takes. */
  readonly refBytes?: number;
}

const OFFSET_BYTES = 8;

/**
 * A bag of cells, cell 0 its root, with a checksum.
 *
 *     serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) size:(## 3)
 *       off_bytes:(## 8) cells:(##(size * 8)) roots:(##(size * 8)) absent:(##(size * 8)) tot_cells_size:(##(off_bytes * 8))
 *       root_list:(roots * ##(size * 8)) cell_data:(tot_cells_size * [ uint8 ]) crc32c:has_crc32c?uint32
 */
export function rawBag(cells: readonly RawCell[], lies: BagLies = {}): Buffer {
  const refBytes = lies.refBytes ?? bytesFor(Math.max(cells.length, lies.cells ?? 0));
  const data = Buffer.concat(cells.map((cell) => cellBytes(cell, refBytes)));
  const index = (value: number) => uint(value, refBytes);
  const bag = Buffer.concat([
    Buffer.from('b5ee9c72', 'hex'),
    Buffer.from([0x40 | refBytes, OFFSET_BYTES]),
    index(lies.cells ?? cells.length),
    index(lies.roots ?? 1),
    index(0),
    uint(lies.totalBytes ?? data.length, OFFSET_BYTES),
    index(lies.rootIndex ?? 0),
    data,
    Buffer.alloc(4),
  ]);
  bag.writeUInt32LE(lies.badCrc ? 0xdead_beef : crc32c(bag, bag.length - 4), bag.length - 4);
  return bag;
}

/** `depth + 1` cells, each the only child of the one before it. */
export function chainOfCells(depth: number, bits = ''): RawCell[] {
  return Array.from({ length: depth + 1 }, (_, at) => ({
    bits: `${bits}${(depth - at).toString(2).padStart(16, '0')}`,
    refs: at < depth ? [at + 1] : [],
  }));
}

/** `depth + 1` cells, each with the next one as every child: 4^depth paths. */
export function fanOfCells(depth: number): RawCell[] {
  return Array.from({ length: depth + 1 }, (_, at) => ({
    bits: (depth - at).toString(2).padStart(16, '0'),
    refs: at < depth ? [at + 1, at + 1, at + 1, at + 1] : [],
  }));
}

/** The cells with another root over them, whose only child the former root is. */
export function under(bits: string, cells: readonly RawCell[]): RawCell[] {
  return [{ bits, refs: [1] }, ...cells.map((cell) => ({ ...cell, refs: cell.refs.map((ref) => ref + 1) }))];
}

function cellBytes({ bits, refs, exotic = false }: RawCell, refBytes: number): Buffer {
  const whole = bits.length % 8 === 0;
  const padded = whole ? bits : `${bits}1`.padEnd(Math.ceil((bits.length + 1) / 8) * 8, '0');
  const data = Buffer.from(padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const descriptors = [refs.length + (exotic ? 8 : 0), Math.floor(bits.length / 8) + data.length];
  return Buffer.concat([Buffer.from(descriptors), data, ...refs.map((ref) => uint(ref, refBytes))]);
}

function bytesFor(count: number): number {
  return count < 0x100 ? 1 : count < 0x1_0000 ? 2 : count < 0x100_0000 ? 3 : 4;
}

function uint(value: number, bytes: number): Buffer {
  const wide = Buffer.alloc(8);
  wide.writeBigUInt64BE(BigInt(value));
  return wide.subarray(8 - bytes);
}
