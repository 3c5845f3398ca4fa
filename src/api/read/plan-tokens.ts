import type { VisibleRange } from '../version-vector.ts';
import type { AccountId } from './account-id.ts';
import { accountParams, accountSet } from './key-lists.ts';
import { direction, type Page } from './page.ts';
import { soldItems } from './plan-contracts.ts';
import { Conditions, type Statement } from './statement.ts';
import { TOKEN_SELECT, type TokenKind } from './token-row.ts';

/** Order of a list of token contracts: as they were first seen, or by some columns. */
export type TokenOrder = 'first' | 'amount' | 'lt' | 'index' | 'parent, index' | 'address';

/** Which token contracts are wanted; lists are OR-ed, filters AND-ed, an empty list is no filter. */
export interface TokenFilter {
  readonly kind: TokenKind;
  readonly addresses?: readonly AccountId[];
  /** Admins of masters, owners of the others. */
  readonly owners?: readonly AccountId[];
  /** What sales and auctions hold counts as its seller's. */
  readonly isSoldToo?: boolean;
  /** Masters of wallets, collections of items. */
  readonly parents?: readonly AccountId[];
  /** Decimal. */
  readonly amounts?: readonly string[];
  readonly isAboveZero?: boolean;
}

/** Database and range that a plan reads. */
export interface TokenSource {
  readonly database: string;
  readonly visible: VisibleRange;
}

/** Kinds that count only if their parent knows them, and its kind. */
const PARENTS: Readonly<Partial<Record<TokenKind, TokenKind>>> = {
  jetton_wallet: 'jetton_master',
  nft_item: 'nft_collection',
};

const ORDERS: Readonly<Record<TokenOrder, (way: 'ASC' | 'DESC') => string>> = {
  first: () => 'since, account, workchain',
  amount: (way) => `amount ${way}, account ${way}`,
  lt: () => 'lt DESC, account',
  index: () => 'amount, account',
  'parent, index': () => 'parent, amount, account',
  address: () => 'account, workchain',
};

/**
 * Token contracts by their newest visible states. An index tells which accounts may be wanted; whether they still are
 * says their newest state, so that what they were before costs keys alone.
 */
export function planTokens(
  source: TokenSource,
  filter: TokenFilter,
  page: Page,
  order: TokenOrder,
): Statement {
  const { database, visible } = source;
  const conditions = new Conditions();
  conditions.bind({
    kind: filter.kind,
    visible_last: visible.last,
    limit: page.limit,
    offset: page.offset,
  });
  const candidates = candidateConditions(source, filter, conditions, order === 'first' ? page : null);
  const newest =
    `SELECT account, workchain, kind, max(lt) FROM ${database}.token_states WHERE ${candidates.join(' AND ')}` +
    ' AND kind = {kind:String} AND mc_seqno <= {visible_last:UInt32} GROUP BY account, workchain, kind';
  conditions
    .add(`(account, workchain, kind, lt) IN (${newest})`)
    .add('mc_seqno <= {visible_last:UInt32} AND NOT is_gone');
  exactConditions(database, filter, conditions);
  const known = knownByParent(database, filter.kind);
  if (known) conditions.add(known);
  return conditions.statement(
    `SELECT ${TOKEN_SELECT} FROM ${database}.token_states WHERE ${conditions.text} ORDER BY ${ORDERS[order](direction(page))} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

/** Condition that a wallet's master, or an item's collection, has this code for it. Null for kinds that need none. */
export function knownByParent(database: string, kind: TokenKind): string | null {
  const parent = PARENTS[kind];
  return parent
    ? `(parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code FROM ${database}.token_firsts WHERE kind = '${parent}' AND mc_seqno <= {visible_last:UInt32})`
    : null;
}

/** Accounts that may be wanted. */
function candidateConditions(
  { database }: TokenSource,
  { kind, addresses = [], owners = [], isSoldToo = false, parents = [] }: TokenFilter,
  conditions: Conditions,
  page: Page | null,
): string[] {
  const texts: string[] = [];
  const visible = 'kind = {kind:String} AND mc_seqno <= {visible_last:UInt32}';
  if (addresses.length > 0) {
    conditions.bind(accountParams('addresses', addresses));
    texts.push(`(account, workchain) IN ${accountSet('addresses')}`);
  }
  if (owners.length > 0) {
    conditions.bind(accountParams('owners', owners));
    const sold = isSoldToo
      ? ` UNION ALL SELECT parent, parent_workchain FROM ${soldItems(database, 'owners')}`
      : '';
    texts.push(
      `(account, workchain) IN (SELECT account, workchain FROM ${database}.tokens_by_owner WHERE (owner, owner_workchain) IN ${accountSet('owners')} AND ${visible}${sold})`,
    );
  }
  if (parents.length > 0) {
    conditions.bind(accountParams('parents', parents));
    texts.push(
      `(account, workchain) IN (SELECT account, workchain FROM ${database}.tokens_by_parent WHERE (parent, parent_workchain) IN ${accountSet('parents')} AND ${visible})`,
    );
  }
  if (texts.length === 0 && page) {
    const known = knownByParent(database, kind);
    texts.push(
      `(account, workchain) IN (SELECT account, workchain FROM ${database}.token_firsts WHERE ${visible}${known ? ` AND ${known}` : ''} ORDER BY mc_seqno, account LIMIT {most:UInt32})`,
    );
    conditions.bind({ most: page.limit + page.offset });
  }
  return texts.length > 0 ? texts : ['1'];
}

/** What the newest state itself must say. */
function exactConditions(database: string, filter: TokenFilter, conditions: Conditions): void {
  const { owners = [], isSoldToo = false, parents = [], amounts = [], isAboveZero } = filter;
  if (owners.length > 0) {
    const isOwn = `(owner, owner_workchain) IN ${accountSet('owners')}`;
    const isSold = `(account, workchain, owner, owner_workchain) IN ${soldItems(database, 'owners')}`;
    conditions.add(`has_owner AND ${isSoldToo ? `(${isOwn} OR ${isSold})` : isOwn}`);
  }
  if (parents.length > 0)
    conditions.add(`has_parent AND (parent, parent_workchain) IN ${accountSet('parents')}`);
  if (amounts.length > 0) conditions.add('toString(amount) IN {amounts:Array(String)}', { amounts });
  if (isAboveZero) conditions.add('amount > 0');
}
