import type { ExtraCurrencies } from '../tlb/extra-currency-collection.ts';
import { NO_CURRENCIES } from '../tlb/extra-currency-collection.ts';

/** Grams and extra currencies; `extra` is null if a pruned dictionary hides it. */
export interface Money {
  readonly grams: bigint;
  readonly extra: ExtraCurrencies | null;
}

export const NO_MONEY: Money = { grams: 0n, extra: NO_CURRENCIES };

export function grams(amount: bigint): Money {
  return { grams: amount, extra: NO_CURRENCIES };
}

/** The sum; what is hidden in one of them is hidden in the sum. */
export function addMoney(...amounts: readonly Money[]): Money {
  return amounts.reduce(
    (sum, amount) => ({
      grams: sum.grams + amount.grams,
      extra: sum.extra && amount.extra ? addExtra(sum.extra, amount.extra) : null,
    }),
    NO_MONEY,
  );
}

/** Whether nothing that is known differs. */
export function sameMoney(a: Money, b: Money): boolean {
  if (a.grams !== b.grams) return false;
  return a.extra === null || b.extra === null || moneyText(a) === moneyText(b);
}

export function moneyText({ grams: amount, extra }: Money): string {
  if (extra === null) return `${amount} + hidden`;
  return [amount, ...extra.map(([id, value]) => `${value} of ${id}`)].join(' + ');
}

function addExtra(a: ExtraCurrencies, b: ExtraCurrencies): ExtraCurrencies {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const sums = new Map<number, bigint>(a);
  for (const [id, amount] of b) sums.set(id, (sums.get(id) ?? 0n) + amount);
  return [...sums].filter(([, amount]) => amount !== 0n).sort(([x], [y]) => x - y);
}
