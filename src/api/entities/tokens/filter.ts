import { type AccountId, rawAddress } from '../../query/account-id.ts';
import { metaTable } from '../../query/meta-tables.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { and, identifier, type Sql, sql, u32, words } from '../../query/sql.ts';
import type { ServeContext } from '../../serve-context.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { ListedToken, TokenKind, TokenOrder, TokenPlace } from './model.ts';

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

/** True if a token is one that a filter takes. */
export function matcher({
  addresses = [],
  owners = [],
  parents = [],
  amounts = [],
  isAboveZero = false,
}: TokenFilter): (token: ListedToken) => boolean {
  const [byAddress, byOwner, byParent] = [addresses, owners, parents].map(toSet);
  const byAmount = amounts.length > 0 ? new Set(amounts) : null;
  const has = (set: ReadonlySet<string> | null | undefined, value: string | null) =>
    !set || (value !== null && set.has(value));
  return ({ address, owner, parent, amount }) =>
    has(byAddress, address) &&
    has(byOwner, owner) &&
    has(byParent, parent) &&
    has(byAmount, amount) &&
    (!isAboveZero || amount !== '0');
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
  /** Database of `detections`; null if the store has none, or they are not wanted. */
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
 * Set (parent, its workchain, its named code) of the masters or collections among some accounts. `accounts`: a
 * condition; null: all, for a list without a filter. A master may be detected by its get methods; collections' methods
 * return no code.
 */
export function namedCodes(source: TokenSource, kind: TokenKind, accounts: Sql | null): Sql {
  const { database, detected } = source;
  const among = and(accounts, isKind(kind));
  const of = and(among, isVisible(source));
  // A master whose newest state is above the visible range was one before: its named code rarely changes.
  const known = accounts
    ? sql`${identifier(database, 'tokens_latest')} WHERE ${among} AND ${isVisible(source, 'since')}`
    : sql`${identifier(database, 'token_firsts')} WHERE ${of}`;
  const select = sql`SELECT account, workchain, child_code FROM`;
  if (detected === null || kind !== 'jetton_master') return sql`(${select} ${known})`;
  const newest = sql`SELECT account, workchain, child_code, reason FROM ${identifier(detected, 'detections')} WHERE ${of} ORDER BY lt DESC LIMIT 1 BY account, workchain`;
  return sql`(${select} ${known} UNION ALL ${select} (${newest}) WHERE reason = '')`;
}
