import { tokenAccounts } from '../../ton/contracts/token-accounts.ts';
import { type ContractFacts, hasCustomCode } from './model/contract-facts.ts';
import type { Trace } from './model/trace.ts';

/**
 * Accounts whose get methods decide whether accounts that behave as tokens in a trace are tokens: those accounts if their
 * code is custom, and else the masters and collections under custom codes that do not name them.
 */
export function undetectedTokens({ transactions }: Trace, facts: ContractFacts): string[] {
  const found = [...tokenAccounts(transactions)].flatMap((account) => {
    const own = facts.of(account);
    if (own?.jettonWallet || own?.nftItem) return [];
    if (hasCustomCode(own)) return [account];
    return own?.unnamedBy !== undefined && hasCustomCode(facts.of(own.unnamedBy)) ? [own.unnamedBy] : [];
  });
  return [...new Set(found)];
}
