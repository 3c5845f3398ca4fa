import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadMaybeCoins } from '../maybe.ts';
import { type AccStatusChange, loadAccStatusChange } from './acc-status-change.ts';
import { loadStorageUsed, type StorageUsed } from './storage-used.ts';

export interface TrActionPhase {
  readonly success: boolean;
  readonly valid: boolean;
  readonly noFunds: boolean;
  readonly statusChange: AccStatusChange;
  readonly totalFwdFees: bigint | null;
  readonly totalActionFees: bigint | null;
  readonly resultCode: number;
  readonly resultArg: number | null;
  readonly totActions: number;
  readonly specActions: number;
  readonly skippedActions: number;
  readonly msgsCreated: number;
  readonly actionListHash: Uint8Array;
  readonly totMsgSize: StorageUsed;
}

// tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange
//   total_fwd_fees:(Maybe Grams) total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32)
//   tot_actions:uint16 spec_actions:uint16 skipped_actions:uint16 msgs_created:uint16
//   action_list_hash:bits256 tot_msg_size:StorageUsedShort = TrActionPhase;
export function loadTrActionPhase(slice: CellSlice): TrActionPhase {
  return {
    success: slice.bit(),
    valid: slice.bit(),
    noFunds: slice.bit(),
    statusChange: loadAccStatusChange(slice),
    totalFwdFees: loadMaybeCoins(slice),
    totalActionFees: loadMaybeCoins(slice),
    resultCode: slice.int(32),
    resultArg: slice.bit() ? slice.int(32) : null,
    totActions: slice.uint(16),
    specActions: slice.uint(16),
    skippedActions: slice.uint(16),
    msgsCreated: slice.uint(16),
    actionListHash: slice.bytes(32),
    totMsgSize: loadStorageUsed(slice),
  };
}
