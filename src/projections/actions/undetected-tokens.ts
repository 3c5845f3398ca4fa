import { tokenAccounts } from '../../ton/contracts/token-accounts.ts';
import { type ContractFacts, hasCustomCode } from './model/contract-facts.ts';
import type { Trace } from './model/trace.ts';

/**
 * Accounts that behave as tokens in a trace, have a custom code, and are no known token: their get methods may have to be
 * run first.
 */
export function undetectedTokens({ transactions }: Trace, facts: ContractFacts): string[] {
  return [...tokenAccounts(transactions)].filter((account) => {
    const own = facts.of(account);
    return hasCustomCode(own) && !own?.jettonWallet && !own?.nftItem;
  });
}
