import type { VisibleRange } from '../version-vector.ts';
import type { AccountId } from './account-id.ts';
import { accountSet } from './key-lists.ts';
import type { Conditions } from './statement.ts';
import type { TokenPlace } from './token-order.ts';
import type { TokenKind } from './token-row.ts';

/** Which token contracts are wanted; lists are OR-ed, filters AND-ed, an empty list is no filter. */
export interface TokenFilter {
  readonly kind: TokenKind;
  readonly addresses?: readonly AccountId[];
  /** Admins of masters, owners of the others. */
  readonly owners?: readonly AccountId[];
  /** Tokens that sales and auctions hold count as their seller's. */
  readonly isSoldToo?: boolean;
  /** Masters of wallets, collections of items. */
  readonly parents?: readonly AccountId[];
  /** Decimal. */
  readonly amounts?: readonly string[];
  readonly isAboveZero?: boolean;
  /** Place of a scan: the list from behind this row on. */
  readonly after?: TokenPlace | null;
}

/** Database of `contracts` and range that a plan reads. */
export interface ContractSource {
  readonly database: string;
  readonly visible: VisibleRange;
  /** Contracts that get methods tell; default: there are none. */
  readonly told?: ToldContracts | null;
}

/** Tables of what get methods tell of contracts that are no tokens: outcomes, and accounts by which they are found. */
export interface ToldContracts {
  readonly contracts: string;
  readonly keys: string;
}

/** The same, with what tokens are read from beside it. */
export interface TokenSource extends ContractSource {
  /** Whether the version has `tokens_latest`: one of before has the history of states alone. */
  readonly hasLatest: boolean;
  /** Whether it has `tokens_ranked`. */
  readonly hasRanked: boolean;
  /** The payloads of `tokens_latest` and `token_transfers`, as the version has them (`packedList`). */
  readonly tokenPayload: string;
  readonly transferPayload: string;
  /** Database of `detections`; null where the store keeps none, or they are not wanted. */
  readonly detected: string | null;
  /** Table of wallets and items that get methods told once; null where the store has none. */
  readonly confirmed: string | null;
  /** Table of what mintless wallets may claim, as the operator says; null where the store has none. */
  readonly claims: string | null;
  /** Table of sales that get methods tell; null where the store has none, or they are not wanted. */
  readonly detectedSales: string | null;
}

/** Adds the conditions on the newest state of a token itself. `sold`: the set of `soldItems`, where it is wanted. */
export function addExactConditions(filter: TokenFilter, sold: string | null, conditions: Conditions): void {
  const { owners = [], parents = [], amounts = [], isAboveZero } = filter;
  if (owners.length > 0) {
    const isOwn = `(owner, owner_workchain) IN ${accountSet('owners')}`;
    const isSold = `(account, workchain, owner, owner_workchain) IN ${sold}`;
    conditions.add(`has_owner AND ${sold === null ? isOwn : `(${isOwn} OR ${isSold})`}`);
  }
  if (parents.length > 0)
    conditions.add(`has_parent AND (parent, parent_workchain) IN ${accountSet('parents')}`);
  if (amounts.length > 0) conditions.add('toString(amount) IN {amounts:Array(String)}', { amounts });
  if (isAboveZero) conditions.add('amount > 0');
}
