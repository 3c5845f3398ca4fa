import type { ContractKind } from '../../../ton/contracts/contract-state.ts';
import { accountSet } from '../../query/key-lists.ts';

/** Accounts by which contracts are found: keys of `contract_keys`, and columns of `contract_states`. */
export type ContractParty = 'owner' | 'wallet' | 'bidder';

/** Sales and auctions, which hold the item that they sell. */
export const SELLING: readonly ContractKind[] = ['nft_sale', 'nft_auction'];

/**
 * Items in sales and auctions of sellers, with the contract that must own them: a set of (item, its workchain,
 * contract, its workchain). `detected`: table of detected ones; null for none. `sellers` names the parameters of
 * `accountSet`; the caller binds `visible_last`.
 */
export function soldItems(database: string, detected: string | null, sellers: string): string {
  const ofSellers = partySet(database, 'owner', sellers);
  const item = 'SELECT parent, parent_workchain, account, workchain';
  const isSold = `kind IN (${kindList(SELLING)}) AND has_parent AND has_owner AND (owner, owner_workchain) IN ${accountSet(sellers)}`;
  const known = `${item} FROM ${database}.contract_states WHERE ${newest(database, ofSellers)} AND ${isSold}`;
  if (detected === null) return `(${known})`;
  const once = `(account, workchain) IN (SELECT account, workchain FROM ${detected} WHERE ${isSold})`;
  return `(${known} UNION ALL ${item} FROM ${detectedContracts(detected, once)} AND ${isSold})`;
}

/** The newest positive outcomes of some accounts. `accounts`: a condition. */
export function detectedContracts(table: string, accounts: string): string {
  return `(SELECT * FROM ${table} WHERE ${accounts} AND mc_seqno <= {visible_last:UInt32} ORDER BY lt DESC LIMIT 1 BY account, workchain, kind) WHERE reason = ''`;
}

/** Condition: a contract that was found by one of the accounts once. */
export function partySet(database: string, party: ContractParty, keys: string): string {
  return `(account, workchain) IN (SELECT account, workchain FROM ${database}.contract_keys WHERE (key, key_workchain) IN ${accountSet(keys)} AND role = '${party}' AND mc_seqno <= {visible_last:UInt32})`;
}

/**
 * Condition: the newest visible state of an account that fits another condition, if it has not ended; `withGone`: also
 * if it has, with its last row.
 */
export function newest(database: string, candidates: string, withGone = false): string {
  const bound = 'mc_seqno <= {visible_last:UInt32}';
  return `(account, workchain, lt) IN (SELECT account, workchain, max(lt) FROM ${database}.contract_states WHERE ${candidates} AND ${bound} GROUP BY account, workchain) AND ${bound}${withGone ? '' : ' AND NOT is_gone'}`;
}

export function kindList(kinds: readonly ContractKind[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}
