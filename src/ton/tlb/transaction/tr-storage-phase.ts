import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadMaybeCoins } from '../maybe.ts';
import { type AccStatusChange, loadAccStatusChange } from './acc-status-change.ts';

export interface TrStoragePhase {
  readonly feesCollected: bigint;
  readonly feesDue: bigint | null;
  readonly statusChange: AccStatusChange;
}

// tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams)
//   status_change:AccStatusChange = TrStoragePhase;
export function loadTrStoragePhase(slice: CellSlice): TrStoragePhase {
  return {
    feesCollected: slice.coins(),
    feesDue: loadMaybeCoins(slice),
    statusChange: loadAccStatusChange(slice),
  };
}
