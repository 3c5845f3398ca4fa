import type { CurrencyEntries } from '../../../tables/column-type.ts';

/** extraCurrency of contract/v2-endpoints.md section 5. */
export interface ExtraCurrency {
  readonly '@type': 'extraCurrency';
  readonly id: number;
  readonly amount: string;
}

/** Value of a currency map in an answer of the store: id to decimal text. */
export type CurrencyTexts = Readonly<Record<string, string>>;

const NONE: readonly ExtraCurrency[] = [];

/** Currencies by ascending id of the dictionary; `id` is an int32, the dictionary's key unsigned. */
export function extraCurrencies(entries: CurrencyEntries): readonly ExtraCurrency[] {
  if (entries.length === 0) return NONE;
  return entries.toSorted(([a], [b]) => a - b).map(([id, amount]) => currency(id, amount.toString()));
}

/** As `extraCurrencies`, of a map from the store. */
export function toExtraCurrencies(texts: CurrencyTexts): readonly ExtraCurrency[] {
  const entries = Object.entries(texts).map(([id, amount]) => [Number(id), amount] as const);
  return entries.sort(([a], [b]) => a - b).map(([id, amount]) => currency(id, amount));
}

function currency(id: number, amount: string): ExtraCurrency {
  return { '@type': 'extraCurrency', id: id | 0, amount };
}
