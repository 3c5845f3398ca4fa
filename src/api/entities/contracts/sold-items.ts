import type { ContractKind } from '../../../ton/contracts/contract-state.ts';
import type { AccountId } from '../../query/account-id.ts';
import { isIn } from '../../query/keys.ts';
import { and, identifier, type Sql, sql, words } from '../../query/sql.ts';
import { isKind, isVisible, type TokenSource } from '../tokens/filter.ts';

/** Accounts by which contracts are found: keys of `contract_keys`, and columns of `contract_states`. */
export type ContractParty = 'owner' | 'wallet' | 'bidder';

/** Sales and auctions, which hold the item that they sell. */
export const SELLING: readonly ContractKind[] = ['nft_sale', 'nft_auction'];

/**
 * Items in sales and auctions of sellers, with the contract that must own them: a set of (parent, parent_workchain,
 * account, workchain).
 */
export function soldItems(source: TokenSource, sellers: readonly AccountId[]): Sql {
  const item = sql`SELECT parent, parent_workchain, account, workchain FROM`;
  const isSold = and(isKind(...SELLING), sql`has_parent AND has_owner`, isIn(sellers, 'owner'));
  const isNewestOfSeller = isNewest(source, isOfParty(source, 'owner', sellers));
  const known = sql`${item} ${identifier(source.database, 'contract_states')} WHERE ${isNewestOfSeller} AND ${isSold}`;
  if (source.detected === null) return sql`(${known})`;
  const once = sql`(account, workchain) IN (SELECT account, workchain FROM ${identifier(source.detected, 'detected_contracts')} WHERE ${isSold})`;
  return sql`(${known} UNION ALL ${item} ${detectedContracts(source, source.detected, once)} AND ${isSold})`;
}

/** The newest positive outcomes of some accounts, up to the condition. `accounts`: a condition. */
export function detectedContracts(
  source: Pick<TokenSource, 'visible'>,
  detected: string,
  accounts: Sql,
): Sql {
  return sql`(SELECT * FROM ${identifier(detected, 'detected_contracts')} WHERE ${accounts} AND ${isVisible(source)} ORDER BY lt DESC LIMIT 1 BY account, workchain, kind) WHERE reason = ''`;
}

/** Condition: a contract that was found by one of the accounts once. */
export function isOfParty(source: TokenSource, party: ContractParty, accounts: readonly AccountId[]): Sql {
  return isKeyed(source, and(isIn(accounts, 'key'), sql`role = ${words(party)}`));
}

/** Condition: a contract that was found by some keys once. */
export function isKeyed(source: TokenSource, keys: Sql): Sql {
  return sql`(account, workchain) IN (SELECT account, workchain FROM ${identifier(source.database, 'contract_keys')} WHERE ${keys} AND ${isVisible(source)})`;
}

/** Condition: the newest visible state of an account that fits another condition, if it has not ended. */
export function isNewest(source: TokenSource, candidates: Sql): Sql {
  const newest = sql`SELECT account, workchain, max(lt) FROM ${identifier(source.database, 'contract_states')} WHERE ${candidates} AND ${isVisible(source)} GROUP BY account, workchain`;
  return and(sql`(account, workchain, lt) IN (${newest}) AND ${isVisible(source)}`, sql`NOT is_gone`);
}
