import type { AccountId } from '../../query/account-id.ts';
import { accountSet } from '../../query/key-lists.ts';
import type { Conditions } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { TokenKind } from './model.ts';
import type { TokenPlace } from './order.ts';

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
  /** Position of a scan: the list after this row. */
  readonly after?: TokenPlace | null;
}

/** Database of `contracts` and range that a plan reads. */
export interface ContractSource {
  readonly database: string;
  readonly visible: VisibleRange;
  /** Detected contracts; default: none. */
  readonly detectedTables?: DetectedTables | null;
}

/** Tables of detected contracts other than tokens: outcomes, and their look-up keys. */
export interface DetectedTables {
  readonly contracts: string;
  readonly keys: string;
}

/** The same, with the tokens' other tables. */
export interface TokenSource extends ContractSource {
  /** Database of `detections`; null if the store has none, or they are not wanted. */
  readonly detected: string | null;
  /** Table of wallets and items that were detected once; null if the store has none. */
  readonly confirmed: string | null;
  /** Table of mintless claims from the operator; null if the store has none. */
  readonly claims: string | null;
  /** Table of detected sales; null if the store has none, or they are not wanted. */
  readonly detectedSales: string | null;
}

/** Adds the conditions on the newest state of a token itself. `sold`: the set of `soldItems`, if wanted. */
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
