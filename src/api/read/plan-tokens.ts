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
  /** Of a scan: the list from behind this row on. */
  readonly after?: TokenPlace | null;
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

/** The place of a token contract in any order of a list; numbers decimal, ids 64 upper-case hex digits. */
export interface TokenPlace {
  readonly since: number;
  readonly lt: string;
  readonly amount: string;
  readonly parent: string;
  readonly account: string;
  readonly workchain: number;
}

type Way = 'ASC' | 'DESC';

/** A column of an order, and what stands for a place's value in it. */
const COLUMNS: Readonly<Record<keyof TokenPlace, string>> = {
  since: '{after_since:UInt32}',
  lt: '{after_lt:UInt64}',
  amount: '{after_amount:UInt256}',
  parent: 'unhex({after_parent:String})',
  account: 'unhex({after_account:String})',
  workchain: '{after_workchain:Int32}',
};

const ORDERS: Readonly<Record<TokenOrder, (way: Way) => readonly (readonly [keyof TokenPlace, Way])[]>> = {
  first: () => [['since', 'ASC'], ...ADDRESS],
  amount: (way) => [
    ['amount', way],
    ['account', way],
    ['workchain', way],
  ],
  lt: () => [['lt', 'DESC'], ...ADDRESS],
  index: () => [['amount', 'ASC'], ...ADDRESS],
  'parent, index': () => [['parent', 'ASC'], ['amount', 'ASC'], ...ADDRESS],
  address: () => ADDRESS,
};
const ADDRESS = [
  ['account', 'ASC'],
  ['workchain', 'ASC'],
] as const;

/** Condition of the rows behind a place. */
function behind(order: readonly (readonly [keyof TokenPlace, Way])[]): string {
  const [first, ...rest] = order;
  if (!first) return '0';
  const [column, way] = first;
  const sign = way === 'ASC' ? '>' : '<';
  if (rest.length === 0) return `${column} ${sign} ${COLUMNS[column]}`;
  return `${column} ${sign}= ${COLUMNS[column]} AND (${column} ${sign} ${COLUMNS[column]} OR (${behind(rest)}))`;
}

function placeParams(order: readonly (readonly [keyof TokenPlace, Way])[], place: TokenPlace) {
  return Object.fromEntries(order.map(([column]) => [`after_${column}`, place[column]]));
}

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
  const columns = ORDERS[order](direction(page));
  if (filter.after) conditions.add(behind(columns), placeParams(columns, filter.after));
  const orderBy = columns.map((one) => one.join(' ')).join(', ');
  return conditions.statement(
    `SELECT ${TOKEN_SELECT} FROM ${database}.token_states WHERE ${conditions.text} ORDER BY ${orderBy} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

/** An account that a scan may list, and the step at which it was first seen so. */
export interface TokenCandidate {
  readonly seen: number;
  readonly account: AccountId;
}

/** By which order a scan reads its candidates: as they were first seen, or those of masters or collections by address. */
export type CandidateOrder = 'first' | 'address';

/** The next candidates of a scan that no account but one parent narrows, in the order of an index. */
export function planCandidates(
  { database, visible }: TokenSource,
  { kind, parents: [parent] = [], after = null }: TokenFilter,
  order: CandidateOrder,
  limit: number,
): Statement {
  const conditions = new Conditions().bind({ limit }).add('kind = {kind:String}', { kind });
  conditions.add('mc_seqno <= {visible_last:UInt32}', { visible_last: visible.last });
  const columns = ORDERS[order]('ASC');
  if (after) conditions.add(behind(columns), placeParams(columns, after));
  const select = 'SELECT mc_seqno AS since, hex(account), workchain FROM';
  const orderBy = columns.map(([column]) => column).join(', ');
  if (parent) {
    conditions.addFirst('parent = unhex({parent:String}) AND parent_workchain = {parent_workchain:Int32}');
    conditions.bind({ parent: parent.hash, parent_workchain: parent.workchain });
    return conditions.statement(
      `${select} ${database}.tokens_by_parent WHERE ${conditions.text} ORDER BY parent, parent_workchain, kind, ${orderBy} LIMIT 1 BY ${orderBy} LIMIT {limit:UInt32}`,
    );
  }
  const known = knownByParent(database, kind);
  if (known) conditions.add(known);
  return conditions.statement(
    `${select} ${database}.token_firsts WHERE ${conditions.text} ORDER BY kind, ${orderBy} LIMIT {limit:UInt32}`,
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
  if (owners.length > 0) conditions.bind(accountParams('owners', owners));
  if (parents.length > 0) conditions.bind(accountParams('parents', parents));
  // The addresses are few: whose they are, their states say.
  if (addresses.length > 0) return texts;
  if (owners.length > 0) {
    const sold = isSoldToo
      ? ` UNION ALL SELECT parent, parent_workchain FROM ${soldItems(database, 'owners')}`
      : '';
    texts.push(
      `(account, workchain) IN (SELECT account, workchain FROM ${database}.tokens_by_owner WHERE (owner, owner_workchain) IN ${accountSet('owners')} AND ${visible}${sold})`,
    );
  }
  if (parents.length > 0) {
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
