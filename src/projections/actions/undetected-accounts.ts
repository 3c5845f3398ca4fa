import type { AccountFacts, FactSort } from '../../ton/contracts/account-facts.ts';
import { tokenAccounts } from '../../ton/contracts/token-accounts.ts';
import { hasCustomCode } from './model/contract-facts.ts';
import type { Trace } from './model/trace.ts';

/** Facts that the rules asked for when they classified a trace, by sort. */
export type AskedFacts = Readonly<Record<FactSort, ReadonlySet<string>>>;

/** Null: nothing is known of the account. */
type FindFacts = (sort: FactSort, account: string) => AccountFacts | null;

/**
 * Accounts whose get methods decide whether accounts that behave as tokens in a trace, or wallets of its pools, are tokens:
 * those accounts if their code is custom, and else the masters and collections under custom codes that do not name them.
 */
export function undetectedTokens({ transactions }: Trace, { pool }: AskedFacts, find: FindFacts): string[] {
  const wallets = [...pool].flatMap((address) => find('pool', address)?.poolWallets ?? []);
  const found = [...tokenAccounts(transactions), ...wallets].flatMap((account) => {
    const own = find('account', account);
    if (own?.jettonWallet || own?.nftItem) return [];
    if (hasCustomCode(own)) return [account];
    const parent = own?.unnamedBy;
    return parent !== undefined && hasCustomCode(find('account', parent)) ? [parent] : [];
  });
  return [...new Set(found)];
}

/** An account, and the hash of its code, base64. */
export interface UnknownContract {
  readonly account: string;
  readonly codeHash: string;
}

/** Accounts under custom codes that rules asked for, and that are no sale, auction or order by any facts. */
export function unknownContracts({ account }: AskedFacts, find: FindFacts): UnknownContract[] {
  return [...account].flatMap((address) => {
    const own = find('account', address);
    const isKnown = own?.nftSale || own?.nftAuction || own?.multisigOrder;
    if (isKnown || own?.codeHash === undefined || !hasCustomCode(own)) return [];
    return [{ account: address, codeHash: own.codeHash }];
  });
}
