import type { AccountFacts } from '../../../ton/contracts/account-facts.ts';
import {
  type ContractColumns,
  contractFacts,
  FACT_KINDS,
  type TokenColumns,
  tokenFacts,
} from '../../../ton/contracts/fact-columns.ts';
import type { FactsByAddress } from '../../classifier-port.ts';
import { type AccountId, accountOfRaw } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import { readCodes } from '../accounts/codes.ts';
import { ZERO_HASH } from '../accounts/none-account.ts';
import { readContractsOfAccounts } from '../contracts/find.ts';
import { addedTokens, type ContractsSource } from '../tokens/filter.ts';
import { readTokensOfAccounts } from '../tokens/find.ts';
import type { TokenRow } from '../tokens/model.ts';

/**
 * Facts of accounts by raw address, null if nothing is known. Four parallel statements, and one more for items with
 * collections.
 */
export async function readAccountFacts(
  scope: ReadScope,
  contracts: ContractsSource,
  addresses: readonly string[],
): Promise<FactsByAddress> {
  if (addresses.length === 0) return new Map();
  const accounts: readonly AccountId[] = addresses.map(accountOfRaw);
  const source = addedTokens(scope, contracts);
  const [codes, wallets, items, found] = await Promise.all([
    readCodes(scope, accounts),
    readTokensOfAccounts(source, 'jetton_wallet', accounts),
    readTokensOfAccounts(source, 'nft_item', accounts),
    readContractsOfAccounts(source, FACT_KINDS, accounts, { withGone: true }),
  ]);
  const parents = items.flatMap(({ parent }) => (parent === null ? [] : [accountOfRaw(parent)]));
  const collections = await readTokensOfAccounts(source, 'nft_collection', parents);
  const collectionByAddress = new Map(collections.map((row) => [row.address, row]));
  const facts = new Map<string, AccountFacts | null>(addresses.map((address) => [address, null]));
  const add = (address: string, more: AccountFacts) => facts.set(address, { ...facts.get(address), ...more });
  for (const [address, codeHash] of codes) if (codeHash !== ZERO_HASH) add(address, { codeHash });
  for (const token of [...wallets, ...items])
    add(token.address, toTokenFacts(token, collectionByAddress.get(token.parent ?? '')) ?? {});
  for (const row of found) add(row.address, contractFacts(row as typeof row & ContractColumns));
  return facts;
}

/** Facts of a wallet or an item for the classifier; null for other tokens. `collection`: of an item, if it is known. */
export function toTokenFacts(token: TokenRow, collection?: TokenRow): AccountFacts | null {
  const { kind, amount, parent, owner, link, content, codeHash } = token;
  if (kind !== 'jetton_wallet' && kind !== 'nft_item') return null;
  const prefix = collection?.flag ? collection.link : null;
  const columns: TokenColumns = { kind, index: amount, owner, parent, codeHash, content, link, prefix };
  return tokenFacts(columns);
}
