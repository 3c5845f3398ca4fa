import type { CellSlice } from '../../boc/cell-slice.ts';

export interface ShardAccount {
  /** Cell of the Account, perhaps pruned. */
  readonly account: number;
  readonly lastTransHash: Uint8Array;
  readonly lastTransLt: bigint;
}

// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
export function loadShardAccount(slice: CellSlice): ShardAccount {
  return { account: slice.ref(), lastTransHash: slice.bytes(32), lastTransLt: slice.u64() };
}
