import type { CellSlice } from '../boc/cell-slice.ts';
import { isComplete } from '../boc/serialize.ts';
import { type ExtraCurrencies, loadExtraCurrencyDict, NO_CURRENCIES } from './extra-currency-collection.ts';

/** A CurrencyCollection inside a state update, where the dictionary of extra currencies may be pruned. */
export interface StateCurrencies {
  readonly grams: bigint;
  /** null where a part of the dictionary is pruned: the block does not say. */
  readonly extra: ExtraCurrencies | null;
  /** Root cell of the dictionary; -1 for none. */
  readonly extraRoot: number;
}

// currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
export function loadStateCurrencies(slice: CellSlice): StateCurrencies {
  const grams = slice.coins();
  const extraRoot = slice.maybeRef();
  if (extraRoot < 0) return { grams, extra: NO_CURRENCIES, extraRoot };
  const known = isComplete(slice.boc, extraRoot);
  return { grams, extra: known ? loadExtraCurrencyDict(slice.boc, extraRoot) : null, extraRoot };
}
