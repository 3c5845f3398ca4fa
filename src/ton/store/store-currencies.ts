import type { CellBuilder } from '../cell/cell-builder.ts';
import { numberKey } from '../cell/key-bits.ts';
import { NO_EXTRA, Trie } from '../cell/trie.ts';
import type { ExtraCurrencies } from '../tlb/extra-currency-collection.ts';

/** Input of a CurrencyCollection writer: a parsed one, or Money. */
export interface Currencies {
  readonly grams: bigint;
  readonly extra: ExtraCurrencies | null;
}

/** The currencies of a state are not known, so that they cannot be written. */
export class HiddenCurrenciesError extends Error {
  override readonly name = 'HiddenCurrenciesError';
}

// currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
export function storeCurrencies(builder: CellBuilder, { grams, extra }: Currencies): void {
  if (extra === null) throw new HiddenCurrenciesError(`${grams} grams and a pruned dictionary`);
  builder.coins(grams).with(storeExtraCurrencies, extra);
}

// extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
export function storeExtraCurrencies(builder: CellBuilder, extra: ExtraCurrencies): void {
  let dict = Trie.empty<bigint>({
    keyBits: 32,
    store: (leaf, amount) => leaf.varUint(amount, 5),
    extra: NO_EXTRA,
  });
  for (const [id, amount] of extra) dict = dict.set(numberKey(id, 32), amount);
  dict.store(builder);
}
