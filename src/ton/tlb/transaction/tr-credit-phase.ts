import type { CellSlice } from '../../boc/cell-slice.ts';
import { type CurrencyCollection, loadCurrencyCollection } from '../currency-collection.ts';
import { loadMaybeCoins } from '../maybe.ts';

export interface TrCreditPhase {
  readonly dueFeesCollected: bigint | null;
  readonly credit: CurrencyCollection;
}

// tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection = TrCreditPhase;
export function loadTrCreditPhase(slice: CellSlice): TrCreditPhase {
  return { dueFeesCollected: loadMaybeCoins(slice), credit: loadCurrencyCollection(slice) };
}
