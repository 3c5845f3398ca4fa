import type { CellSlice } from '../../boc/cell-slice.ts';

/** Cells and bits: of an account's state, or of a transaction's messages. */
export interface StorageUsed {
  readonly cells: bigint;
  readonly bits: bigint;
}

// storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed;
// storage_used_short$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsedShort;
export function loadStorageUsed(slice: CellSlice): StorageUsed {
  return { cells: slice.varUint(3), bits: slice.varUint(3) };
}
