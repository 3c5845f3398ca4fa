import { LRUCache } from 'lru-cache';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { type AccountId, accountOfRaw, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { rangeName } from '../../query/answer-cache.ts';
import { parts } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import { parentKind, type TokenList, type TokenSource } from './filter.ts';
import {
  type ListedToken,
  TOKEN_KINDS,
  type TokenKind,
  type TokenRow,
  type TokenState,
  tokenRows,
  tokenStates,
} from './model.ts';
import {
  planAnyDetected,
  planDetected,
  planExamined,
  planNamed,
  planNewestTokens,
  planOutcomes,
} from './plan.ts';

export type NewestScope = Pick<ReadScope<never>, 'query' | 'queryBytes' | 'context' | 'share'>;

/** Newest states by database, visible range and raw address; accounts that are no tokens. */
interface KnownTokens {
  readonly tokens: LRUCache<string, ListedToken>;
  readonly none: LRUCache<string, true>;
}

/** Retried dead letters add states to visible steps: entries expire after this time, like the response cache. */
const FRESH_MS = 60_000;
const MAX_BYTES = 32 * 1024 ** 2;
/** Bytes of a token without its content and link. */
const TOKEN_BYTES = 2_048;
/** Some 20 MB. */
const MAX_NONE = 100_000;
const KNOWN = new WeakMap<StoreClient, KnownTokens>();

/** Tokens that were read from a store a moment ago: the answer that lists a wallet describes it, and the next answer the same master. */
function getKnown({ context }: NewestScope): KnownTokens {
  const found = KNOWN.get(context.client);
  if (found) return found;
  const made: KnownTokens = {
    tokens: new LRUCache({
      maxSize: MAX_BYTES,
      sizeCalculation: ({ content, link }) => TOKEN_BYTES + content.length + link.length,
      ttl: FRESH_MS,
    }),
    none: new LRUCache({ max: MAX_NONE, ttl: FRESH_MS }),
  };
  KNOWN.set(context.client, made);
  return made;
}

function toKey({ database, visible }: TokenSource, raw: string): string {
  return `${database} ${rangeName(visible)} ${raw}`;
}

/** Accounts by whether their newest state of the visible range is in memory. */
interface CachedTokens {
  readonly tokens: readonly ListedToken[];
  readonly unknown: readonly AccountId[];
}

/** Cached tokens of accounts. A contract is one token at a time: other kinds are not searched. */
function cachedTokens(scope: NewestScope, source: TokenSource, accounts: readonly AccountId[]): CachedTokens {
  const known = getKnown(scope);
  const tokens: ListedToken[] = [];
  const unknown: AccountId[] = [];
  for (const account of accounts) {
    const key = toKey(source, rawAddress(account));
    const token = known.tokens.get(key);
    if (token) tokens.push(token);
    else if (!known.none.has(key)) unknown.push(account);
  }
  return { tokens, unknown };
}

/**
 * Newest states of accounts that are tokens of some kinds, in table order; null if one is above the visible range and
 * hides another.
 */
export async function readNewestTokens(
  scope: NewestScope,
  source: TokenSource,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly ListedToken[] | null> {
  const wanted = new Set(accounts.map(rawAddress));
  const shared = await scope.share(NEWEST, [...wanted], source.database);
  const states = newestStates(shared.filter(({ token }) => wanted.has(token.address)));
  const isAbove = ({ token }: TokenState) => token.mcSeqno > source.visible.last;
  if (!states.some(isAbove)) cacheTokens(scope, source, wanted, states);
  const found = states.filter(({ token }) => kinds.includes(token.kind));
  if (found.some(isAbove)) return null;
  return found.flatMap(({ token, isGone }) => (isGone ? [] : [token])).sort(byTable);
}

/** The newest state of each account and kind: rows of one token are merged in time. */
function newestStates(states: readonly TokenState[]): readonly TokenState[] {
  const newest = new Map<string, TokenState>();
  for (const state of states) {
    const { kind, address, lt } = state.token;
    const known = newest.get(`${kind} ${address}`);
    if (!known || BigInt(lt) >= BigInt(known.token.lt)) newest.set(`${kind} ${address}`, state);
  }
  return [...newest.values()];
}

function cacheTokens(
  scope: NewestScope,
  source: TokenSource,
  requested: ReadonlySet<string>,
  states: readonly TokenState[],
): void {
  const known = getKnown(scope);
  const none = new Set(requested);
  for (const { token, isGone } of states) {
    if (isGone) continue;
    none.delete(token.address);
    known.tokens.set(toKey(source, token.address), token);
  }
  for (const address of none) known.none.set(toKey(source, address), true);
}

/** States of accounts, and perhaps of others. */
const NEWEST = new SharedLookUp<readonly TokenState[], string>(async (scope, addresses, database) =>
  tokenStates(await scope.queryBytes(planNewestTokens(database, addresses.map(accountOfRaw)))),
);

/** The order of a table that is merged whole: account, workchain, kind. */
function byTable(a: ListedToken, b: ListedToken): number {
  const [one, other] = [toPlace(a), toPlace(b)];
  if (one.hash !== other.hash) return one.hash < other.hash ? -1 : 1;
  return one.workchain - other.workchain || TOKEN_KINDS.indexOf(a.kind) - TOKEN_KINDS.indexOf(b.kind);
}

function toPlace({ address }: ListedToken): { readonly hash: string; readonly workchain: number } {
  const colon = address.indexOf(':');
  return { hash: address.slice(colon + 1), workchain: Number(address.slice(0, colon)) };
}

/**
 * Tokens of some kinds among accounts, unordered; null if a state above the visible range hides another one.
 * `isListed`: rows of a list, which are always read; others may be cached.
 */
export async function readTokensAmong(
  scope: NewestScope,
  source: TokenSource,
  { kinds, accounts, isListed }: TokensAmong,
): Promise<readonly ListedToken[] | null> {
  const { tokens, unknown } = isListed
    ? { tokens: [], unknown: accounts }
    : cachedTokens(scope, source, accounts);
  const read = unknown.length === 0 ? [] : parts(unknown);
  const newest = await Promise.all(read.map((some) => readNewestTokens(scope, source, kinds, some)));
  if (newest.some((rows) => rows === null)) return null;
  const known = tokens.filter(({ kind }) => kinds.includes(kind));
  const found = [...known, ...newest.flatMap((rows) => rows ?? [])].sort(byTable);
  return namedByParents(scope, source, found);
}

/** Tokens that are asked for among accounts. */
export interface TokensAmong {
  readonly kinds: readonly TokenKind[];
  readonly accounts: readonly AccountId[];
  readonly isListed: boolean;
}

/** Codes that masters and collections name, by database: what one names is read again after this time. */
const NAMED = new LRUCache<string, true>({ max: 100_000, ttl: FRESH_MS });

/** A wallet or an item, by its parent and the code that this one must name. */
export type Child = Pick<TokenRow, 'kind' | 'parent' | 'childCode'>;

/**
 * Rows whose parent names their code, and rows of kinds that need no parent. One query for values outside the cache.
 */
export async function namedByParents<T extends Child>(
  scope: Pick<ReadScope<never>, 'query'>,
  source: TokenSource,
  tokens: readonly T[],
): Promise<readonly T[]> {
  const toName = ({ kind, parent, childCode }: Child) =>
    `${source.database} ${parentKind(kind)} ${parent} ${childCode}`;
  const children = tokens.filter(({ kind, parent }) => parentKind(kind) && parent !== null);
  const named = new Set(children.map(toName).filter((name) => NAMED.has(name)));
  const open = children.filter((child) => !named.has(toName(child)));
  const parents = distinctAccounts(open.map(({ parent }) => accountOfRaw(parent as string)));
  const kinds = new Set(open.flatMap(({ kind }) => parentKind(kind) ?? []));
  for (let at = 0; at < parents.length; at += PARENTS_AT_ONCE) {
    const rows = await scope.query(planNamed(source, kinds, parents.slice(at, at + PARENTS_AT_ONCE)));
    for (const [kind, workchain, hash, code] of rows) {
      const name = `${source.database} ${kind} ${toRaw(workchain, hash)} ${code}`;
      named.add(name);
      NAMED.set(name, true);
    }
  }
  return tokens.filter((one) => !parentKind(one.kind) || (one.parent !== null && named.has(toName(one))));
}

/** Parents of one statement. */
const PARENTS_AT_ONCE = 1_000;

/** Detected tokens: the first rows of a list, up to the end of its page. */
export async function readDetected(
  { query, queryBytes }: NewestScope,
  source: TokenSource,
  list: TokenList,
): Promise<readonly ListedToken[]> {
  const { detected } = source;
  if (detected === null) return [];
  if ((await query(planAnyDetected(detected, list))).length === 0) return [];
  return tokenRows(await queryBytes(planDetected(source, detected, list))).map(toComplete);
}

/** Detected tokens of some kinds among accounts. */
export async function readDetectedAmong(
  scope: NewestScope,
  source: TokenSource,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly ListedToken[]> {
  const { detected } = source;
  if (detected === null || accounts.length === 0) return [];
  const readOutcomes = async (some: readonly AccountId[]) => {
    const has = await scope.share(EXAMINED, some.map(rawAddress), detected);
    const examined = some.filter((account) => has.has(rawAddress(account)));
    if (examined.length === 0) return [];
    return tokenStates(await scope.queryBytes(planOutcomes(source, detected, kinds, examined)));
  };
  const newest = newestStates((await Promise.all(parts(accounts).map(readOutcomes))).flat());
  return newest.flatMap(({ token, isGone }) => (isGone ? [] : [toComplete(token)]));
}

/** Raw addresses of accounts with outcomes, and perhaps of others, by database: most accounts have none. */
const EXAMINED = new SharedLookUp<ReadonlySet<string>, string>(async (scope, addresses, detected) => {
  const rows = await scope.query(planExamined(detected, addresses.map(accountOfRaw)));
  return new Set(rows.map(([workchain, hash]) => toRaw(workchain, hash)));
});

function toRaw(workchain: unknown, hash: unknown): string {
  return rawAddress({ workchain: Number(workchain), hash: String(hash) });
}

/** `get_nft_content` of its collection returned the content of an item. */
function toComplete(token: ListedToken): ListedToken {
  return { ...token, isComplete: true };
}
