import type { FactBook } from '../../../facts/fact-book.ts';
import { type ContractFacts, factsBySort } from '../model/contract-facts.ts';

/** Facts after a step for rules; `onMissing` gets accounts that still need a look-up. */
export function factsAt(
  book: FactBook,
  position: number,
  onMissing: (account: string) => void = () => {},
): ContractFacts {
  return factsBySort((sort, account) => {
    const found = book.find(position, sort, account);
    if (found === undefined) onMissing(account);
    return found ?? null;
  });
}
