import type { CellSlice } from '../../boc/cell-slice.ts';
import { type CurrencyCollection, loadCurrencyCollection } from '../currency-collection.ts';

export interface ImportFees {
  readonly feesCollected: bigint;
  readonly valueImported: CurrencyCollection;
}

// import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees;
export function loadImportFees(slice: CellSlice): ImportFees {
  return { feesCollected: slice.coins(), valueImported: loadCurrencyCollection(slice) };
}
