import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadStorageUsed, type StorageUsed } from './storage-used.ts';

export type TrBouncePhase =
  | { readonly kind: 'negfunds' }
  | { readonly kind: 'nofunds'; readonly msgSize: StorageUsed; readonly reqFwdFees: bigint }
  | {
      readonly kind: 'ok';
      readonly msgSize: StorageUsed;
      readonly msgFees: bigint;
      readonly fwdFees: bigint;
    };

// tr_phase_bounce_negfunds$00 = TrBouncePhase;
// tr_phase_bounce_nofunds$01 msg_size:StorageUsedShort req_fwd_fees:Grams = TrBouncePhase;
// tr_phase_bounce_ok$1 msg_size:StorageUsedShort msg_fees:Grams fwd_fees:Grams = TrBouncePhase;
export function loadTrBouncePhase(slice: CellSlice): TrBouncePhase {
  if (slice.bit()) {
    return { kind: 'ok', msgSize: loadStorageUsed(slice), msgFees: slice.coins(), fwdFees: slice.coins() };
  }
  if (!slice.bit()) return { kind: 'negfunds' };
  return { kind: 'nofunds', msgSize: loadStorageUsed(slice), reqFwdFees: slice.coins() };
}
