import { type AccountId, rawAddress } from '../../query/account-id.ts';
import { metaTable } from '../../query/meta-tables.ts';
import type { Page } from '../../query/page.ts';
import type { RawRow, ReadScope } from '../../query/scope.ts';
import { and, identifier, type Sql, sql, u32, words } from '../../query/sql.ts';
import type { ServeContext } from '../../serve-context.ts';
import type { VisibleRange } from '../../version-vector.ts';
import {
  comparePlaces,
  compareTokens,
  isAfter,
  type ListedToken,
  type TokenKind,
  type TokenOrder,
  type TokenPlace,
} from './model.ts';

/** Which token contracts are wanted; lists are OR-ed, filters AND-ed, an empty list is no filter. */
export interface TokenFilter {
  readonly kind: TokenKind;
  readonly addresses?: readonly AccountId[];
  /** Admins of masters, owners of the others. */
  readonly owners?: readonly AccountId[];
  /** Set (parent, parent_workchain, account, workchain) of sold items and their contracts: items of these count as the owners'. */
  readonly sold?: Sql;
  /** Masters of wallets, collections of items. */
  readonly parents?: readonly AccountId[];
  /** Decimal. */
  readonly amounts?: readonly string[];
  readonly isAboveZero?: boolean;
  /** Position of a scan: the list after this row. */
  readonly after?: TokenPlace | null | undefined;
}

/** A page of a list. */
export interface TokenList {
  readonly filter: TokenFilter;
  readonly page: Page;
  readonly order: TokenOrder;
}

/**
 * True if a token is one that a filter takes. A wallet without jettons that may claim some is taken if `claims` has to
 * decide (`TokenSource.claims`).
 */
export function matcher(
  { addresses = [], owners = [], parents = [], amounts = [], isAboveZero = false }: TokenFilter,
  { claims }: Pick<TokenSource, 'claims'>,
): (token: ListedToken) => boolean {
  const [byAddress, byOwner, byParent] = [addresses, owners, parents].map(toSet);
  const byAmount = amounts.length > 0 ? new Set(amounts) : null;
  const has = (set: ReadonlySet<string> | null | undefined, value: string | null) =>
    !set || (value !== null && set.has(value));
  return ({ address, owner, parent, amount, flag }) =>
    has(byAddress, address) &&
    has(byOwner, owner) &&
    has(byParent, parent) &&
    has(byAmount, amount) &&
    (!isAboveZero || amount !== '0' || (flag && claims !== null));
}

/**
 * The page of a list among its tokens down to a position (null: all of them). Null if there are more tokens and these are
 * too few, as an unread one may come before.
 */
export function toPage(
  list: TokenList,
  found: readonly ListedToken[],
  last: TokenPlace | null,
): readonly ListedToken[] | null {
  const { filter, page } = list;
  const [isNext, isUncertain] = [isAfter(list, filter.after), isAfter(list, last)];
  const certain = found.filter((token) => isNext(token) && !(last && isUncertain(token)));
  const wanted = page.offset + page.limit;
  if (last && certain.length < wanted) return null;
  return certain.sort(compareTokens(list)).slice(page.offset, wanted);
}

/** True if the ranking has the order of a list. */
export function isRanked({ filter, order }: TokenList): boolean {
  const { kind, parents = [], owners = [], addresses = [] } = filter;
  const isItsOrder = kind === 'jetton_wallet' ? order === 'amount' : kind === 'nft_item' && order === 'index';
  return isItsOrder && parents.length === 1 && owners.length === 0 && addresses.length === 0;
}

/** True if a list has the order of first appearance, and at most a parent as filter. */
export function isByFirst({ filter, order }: TokenList): boolean {
  const { owners = [], addresses = [], parents = [], amounts = [] } = filter;
  const isWide = [owners, addresses, amounts].every(({ length }) => length === 0);
  return order === 'first' && isWide && parents.length <= 1;
}

/** A token that a list may have, and where. */
interface Candidate {
  readonly account: AccountId;
  readonly place: TokenPlace;
}

/** An account by the columns of an index. */
export function toAccount(workchain: unknown, hash: unknown): AccountId {
  return { workchain: Number(workchain), hash: String(hash) };
}

/** Fields of places that an index lacks. */
const LOWEST = { since: 0, lt: '0', amount: '0', parent: '' };

/**
 * Candidates by rows of an index, in the order of the list, and the position up to which they are complete: the first
 * last row of a part that has `length` rows; null if no part has more.
 */
export function readIndex(list: TokenList, rows: readonly RawRow[], length: number) {
  const compare = comparePlaces(list);
  const order = isRanked(list) ? 'amount' : 'since';
  const places = new Map<string, Candidate & { net: number }>();
  const ends = new Map<number, { readonly place: TokenPlace; readonly count: number }>();
  for (const [part, value, hash, chain, net] of rows) {
    const account = toAccount(chain, hash);
    const key = order === 'amount' ? { amount: String(value) } : { since: Number(value) };
    const place = { ...LOWEST, ...key, account: account.hash, workchain: account.workchain };
    const name = `${value} ${rawAddress(account)}`;
    places.set(name, { account, place, net: Number(net) + (places.get(name)?.net ?? 0) });
    ends.set(Number(part), { place, count: 1 + (ends.get(Number(part))?.count ?? 0) });
  }
  const ranked = [...places.values()].filter(({ net }) => net > 0);
  const open = [...ends.values()].filter(({ count }) => count >= length).map(({ place }) => place);
  return {
    candidates: ranked.sort((a, b) => compare(a.place, b.place)),
    last: open.sort(compare)[0] ?? null,
  };
}

/** Null for the empty list, which is no filter. */
function toSet(accounts: readonly AccountId[]): ReadonlySet<string> | null {
  return accounts.length > 0 ? new Set(accounts.map(rawAddress)) : null;
}

/** Scope that token contracts are read from. */
export type TokenScope = Pick<
  ReadScope<'contracts'>,
  'databases' | 'visible' | 'query' | 'queryBytes' | 'context' | 'share'
>;

/** The served version of the projection `contracts`. */
export type ContractsSource = NonNullable<ReadScope['added']['contracts']>;

/** Databases and range that a statement reads. */
export interface TokenSource {
  /** Database of `contracts`. */
  readonly database: string;
  readonly visible: VisibleRange;
  /** Database of `detections`, with the same tables of tokens; null if the store has none. */
  readonly detected: string | null;
  /** Table of mintless claims from the operator; null if the store has none. */
  readonly claims: string | null;
}

/** The scope of tokens that accompany another scope. */
export function addedTokens(
  { query, queryBytes, context, share }: Pick<ReadScope<never>, 'query' | 'queryBytes' | 'context' | 'share'>,
  { database, visible }: ContractsSource,
): TokenScope {
  return { databases: { contracts: database }, visible, query, queryBytes, context, share };
}

/** Databases and range of a scope. */
export function tokenSource({
  databases,
  visible,
  context,
}: Pick<TokenScope, 'databases' | 'visible'> & {
  readonly context: Pick<ServeContext, 'vector' | 'network' | 'lackedTables'>;
}): TokenSource {
  const { detections } = context.vector();
  return {
    database: databases.contracts,
    visible,
    detected: detections.state === 'served' ? detections.database : null,
    claims: metaTable(context, 'mintless_amounts'),
  };
}

/** Condition: a row is at or below the last visible step. */
export function isVisible({ visible }: Pick<TokenSource, 'visible'>, column = 'mc_seqno'): Sql {
  return sql`${identifier(column)} <= ${u32(visible.last)}`;
}

/** Condition: a row is of a kind. */
export function isKind(...kinds: readonly string[]): Sql {
  return kinds.length === 1 ? sql`kind = ${words(...kinds)}` : sql`kind IN (${words(...kinds)})`;
}

/** Kinds that count only if their parent knows them, and its kind. */
const PARENTS: Readonly<Partial<Record<TokenKind, TokenKind>>> = {
  jetton_wallet: 'jetton_master',
  nft_item: 'nft_collection',
};

/** Kind of the contract that has to name the code of a token of this kind; undefined for kinds that need none. */
export function parentKind(kind: TokenKind): TokenKind | undefined {
  return PARENTS[kind];
}

/**
 * A statement for the same table of both databases: of tokens from cells (`flag`: 0), and of tokens that get methods
 * identified (1).
 */
export function fromEach(
  { database, detected }: Pick<TokenSource, 'database' | 'detected'>,
  table: string,
  select: (from: Sql, flag: Sql, isDetected: boolean) => Sql,
): Sql {
  const known = select(identifier(database, table), sql`0`, false);
  if (detected === null) return known;
  return sql`${known} UNION ALL ${select(identifier(detected, table), sql`1`, true)}`;
}

/**
 * Set (parent, its workchain, its named code) of the masters or collections among some accounts. `accounts`: a
 * condition; null: all, for a list without a filter.
 */
export function namedCodes(source: TokenSource, kind: TokenKind, accounts: Sql | null): Sql {
  const among = and(accounts, isKind(kind));
  // A master whose newest state is above the visible range was one before: its named code rarely changes.
  const [table, column] = accounts ? (['tokens_latest', 'since'] as const) : (['token_firsts'] as const);
  const select = (from: Sql) =>
    sql`SELECT account, workchain, child_code FROM ${from} WHERE ${among} AND ${isVisible(source, column)}`;
  return sql`(${fromEach(source, table, select)})`;
}
