import type { CellSlice } from '../boc/cell-slice.ts';
import { type ExtraCurrencies, loadExtraCurrencyDict, NO_CURRENCIES } from './extra-currency-collection.ts';

/** Grams in nanotons, and extra currencies. */
export interface CurrencyCollection {
  readonly grams: bigint;
  readonly extra: ExtraCurrencies;
  /** Root cell of the dictionary of extra currencies; -1 for none. */
  readonly extraRoot: number;
}

// nanograms$_ amount:(VarUInteger 16) = Grams;
// currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
export function loadCurrencyCollection(slice: CellSlice): CurrencyCollection {
  const grams = slice.coins();
  const extraRoot = slice.maybeRef();
  const extra = extraRoot < 0 ? NO_CURRENCIES : loadExtraCurrencyDict(slice.boc, extraRoot);
  return { grams, extra, extraRoot };
}
