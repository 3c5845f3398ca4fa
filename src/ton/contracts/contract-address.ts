import type { Boc } from '../boc/boc.ts';
import type { CellHashes } from '../boc/cell-hashes.ts';
import { type HashAndDepth, hashVirtualCell } from '../boc/virtual-cell.ts';
import type { CellBuilder } from '../cell/cell-builder.ts';

/** The bits of a StateInit that has code and data, and no libraries. */
interface InitBits {
  readonly bits: Uint8Array;
  readonly length: number;
}

/** 00110: nothing but code and data. */
const CODE_AND_DATA: InitBits = { bits: Uint8Array.of(0b0011_0000), length: 5 };
/** 1, 8 as five bits, 0110: the first eight bits of the address are free. */
export const FREE_BYTE: InitBits = { bits: Uint8Array.of(0b1010_0001, 0b1000_0000), length: 10 };

/** Hash and depth of a cell of a bag; for a pruned branch, of the cell it replaces. */
export function getReference(
  { hashes }: { readonly boc: Boc; readonly hashes: CellHashes },
  cell: number,
): HashAndDepth {
  return { hash: hashes.hash(cell, 0), depth: hashes.depth(cell, 0) };
}

/**
 * Address (32 bytes) of a contract by its code and first data, of which only the hash of the code need be known.
 *
 *     _ split_depth:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
 *       library:(HashmapE 256 SimpleLib) = StateInit;
 */
export function contractAddress(
  code: HashAndDepth,
  data: CellBuilder,
  dataRefs: readonly HashAndDepth[],
  init: InitBits = CODE_AND_DATA,
): Uint8Array {
  const { data: bits, bitLength } = data.cell();
  return hashVirtualCell(init.bits, init.length, [code, hashVirtualCell(bits, bitLength, dataRefs)]).hash;
}
