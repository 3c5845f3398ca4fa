import { LRUCache } from 'lru-cache';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { type AccountId, accountOfRaw, rawAddress } from '../../query/account-id.ts';
import { rangeName } from '../../query/answer-cache.ts';
import { idCondition } from '../../query/key-lists.ts';
import type { ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { TokenSource } from './filter.ts';
import { type ListedToken, TOKEN_KINDS, type TokenKind, type TokenState, tokenStates } from './model.ts';

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
export function cachedTokens(
  scope: NewestScope,
  source: TokenSource,
  accounts: readonly AccountId[],
): CachedTokens {
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
  const newest = new Map<string, TokenState>();
  const { database } = source;
  for (const state of await scope.share(NEWEST, [...wanted], database)) {
    const { kind, address, lt } = state.token;
    if (!wanted.has(address)) continue;
    const key = `${kind} ${address}`;
    const known = newest.get(key);
    // Rows of one token are merged in time; until then the newest is picked here.
    if (!known || BigInt(lt) >= BigInt(known.token.lt)) newest.set(key, state);
  }
  const states = [...newest.values()];
  const isAbove = ({ token }: TokenState) => token.mcSeqno > source.visible.last;
  if (!states.some(isAbove)) cacheTokens(scope, source, wanted, states);
  const found = states.filter(({ token }) => kinds.includes(token.kind));
  if (found.some(isAbove)) return null;
  return found.flatMap(({ token, isGone }) => (isGone ? [] : [token])).sort(byTable);
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

/** Rows of all kinds: an account has a row of another kind only if it was something else before. */
function planNewestTokens(database: string, accounts: readonly AccountId[]): Statement {
  const conditions = idCondition(accounts, new Conditions());
  return conditions.statement(
    `SELECT account, payload FROM ${database}.tokens_latest PREWHERE ${conditions.text}`,
  );
}

/** The order of a table that is merged whole: account, workchain, kind. */
export function byTable(a: ListedToken, b: ListedToken): number {
  const [one, other] = [toPlace(a), toPlace(b)];
  if (one.hash !== other.hash) return one.hash < other.hash ? -1 : 1;
  return one.workchain - other.workchain || TOKEN_KINDS.indexOf(a.kind) - TOKEN_KINDS.indexOf(b.kind);
}

function toPlace({ address }: ListedToken): { readonly hash: string; readonly workchain: number } {
  const colon = address.indexOf(':');
  return { hash: address.slice(colon + 1), workchain: Number(address.slice(0, colon)) };
}
