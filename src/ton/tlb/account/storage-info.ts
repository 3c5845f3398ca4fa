import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadMaybeCoins } from '../maybe.ts';
import { loadStorageUsed, type StorageUsed } from '../transaction/storage-used.ts';
import { loadStorageExtraInfo } from './storage-extra-info.ts';

export interface StorageInfo {
  readonly used: StorageUsed;
  /** Hash of the account's storage dictionary; null before global version 11. */
  readonly dictHash: Uint8Array | null;
  /** Unix time until which storage is paid. */
  readonly lastPaid: number;
  readonly duePayment: bigint | null;
}

// storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32
//   due_payment:(Maybe Grams) = StorageInfo;
export function loadStorageInfo(slice: CellSlice): StorageInfo {
  return {
    used: loadStorageUsed(slice),
    dictHash: loadStorageExtraInfo(slice),
    lastPaid: slice.uint(32),
    duePayment: loadMaybeCoins(slice),
  };
}
