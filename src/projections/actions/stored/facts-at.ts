import type { FactBook } from '../../../facts/fact-book.ts';
import type { FactSort } from '../../../ton/contracts/account-facts.ts';
import { type ContractFacts, factsBySort } from '../model/contract-facts.ts';

/** Facts after a step for rules. `onAsked`: called for each that is asked for; `isMissing`: it still needs a look-up. */
export function factsAt(
  book: FactBook,
  position: number,
  onAsked: (account: string, sort: FactSort, isMissing: boolean) => void = () => {},
): ContractFacts {
  return factsBySort((sort, account) => {
    const found = book.find(position, sort, account);
    onAsked(account, sort, found === undefined);
    return found ?? null;
  });
}
