import { LRUCache } from 'lru-cache';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { perOwner } from '../../../platform/memory/on-first-use.ts';
import { type AccountId, accountOfRaw, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { rangeName } from '../../query/answer-cache.ts';
import { readIndexedTokens } from '../../query/indexed-tokens.ts';
import { parts } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import { parentKind, type TokenSource } from './filter.ts';
import {
  type ListedToken,
  readState,
  TOKEN_KINDS,
  type TokenKind,
  type TokenRow,
  type TokenState,
  tokenStates,
} from './model.ts';
import { planNamed, planNewestTokens, type TokenDatabases } from './plan.ts';

export type NewestScope = Pick<ReadScope<never>, 'query' | 'queryBytes' | 'context' | 'share'>;

/** Retried dead letters add states to visible steps: entries expire after this time, like the response cache. */
const FRESH_MS = 60_000;
const MAX_BYTES = 64 * 1024 ** 2;
/** Bytes of an account, and of a token without its content and link. */
const ACCOUNT_BYTES = 256;
const TOKEN_BYTES = 2_048;

/** Tokens by databases, visible range and raw address; an empty list for an account that is none. */
type KnownTokens = LRUCache<string, readonly ListedToken[]>;

/** Tokens that were read from a store a moment ago: the answer that lists a wallet describes it, and the next answer the same master. */
const getKnown = perOwner<StoreClient, KnownTokens>(
  () =>
    new LRUCache({
      maxSize: MAX_BYTES,
      sizeCalculation: (tokens) =>
        tokens.reduce(
          (sum, { content, link }) => sum + TOKEN_BYTES + content.length + link.length,
          ACCOUNT_BYTES,
        ),
      ttl: FRESH_MS,
    }),
);

/** Start of the keys of a source. Outcomes of get methods come to visible steps later: their own progress is a part of it. */
function toPrefix({ context }: NewestScope, { database, visible }: TokenSource): string {
  const { detections } = context.vector();
  const detected = detections.state === 'served' && `${detections.database} ${rangeName(detections.visible)}`;
  return `${database} ${rangeName(visible)} ${detected}`;
}

/** Tokens that are asked for among accounts. */
export interface TokensAmong {
  readonly kinds: readonly TokenKind[];
  readonly accounts: readonly AccountId[];
  /** True for rows of a list, which are always read; others may be cached. */
  readonly isListed: boolean;
  /** Accounts none of whose rows is wanted are left out early. */
  readonly isWanted?: (token: ListedToken) => boolean;
}

/**
 * Tokens of some kinds among accounts, in table order: a parent names the code of a child, or confirmed it. Null if a
 * state above the visible range hides another one.
 */
export async function readTokensAmong(
  scope: NewestScope,
  source: TokenSource,
  among: TokensAmong,
): Promise<readonly ListedToken[] | null> {
  const { kinds, isWanted = () => true } = among;
  const indexed = await readIndexedStates(scope, source, kinds, among.accounts);
  const found = indexed ? toTokens(indexed) : await readStored(scope, source, among);
  if (!found) return null;
  const tokens = found.filter(({ kind }) => kinds.includes(kind));
  const wanted = new Set(tokens.filter(isWanted).map(({ address }) => address));
  const confirmed = await namedByParents(
    scope,
    source,
    tokens.filter(({ address }) => wanted.has(address)),
  );
  return preferCells(confirmed).sort(byTable);
}

/** Tokens among accounts by statements, or cached ones. Null if a state above the visible range hides another one. */
async function readStored(
  scope: NewestScope,
  source: TokenSource,
  { kinds, accounts, isListed }: TokensAmong,
): Promise<readonly ListedToken[] | null> {
  const [known, prefix] = [getKnown(scope.context.client), toPrefix(scope, source)];
  const cached = accounts.map((account) =>
    isListed ? undefined : known.get(`${prefix} ${rawAddress(account)}`),
  );
  const open = accounts.filter((_, i) => !cached[i]);
  const read =
    open.length === 0 ? [] : await Promise.all(parts(open).map((some) => readNewest(scope, source, some)));
  const states = read.flat();
  const isAbove = ({ token }: TokenState) => token.mcSeqno > source.visible.last;
  if (states.some((state) => kinds.includes(state.token.kind) && isAbove(state))) return null;
  return [...cached.flatMap((some) => some ?? []), ...toTokens(states)];
}

/**
 * The newest visible states of accounts in each database, of some kinds and perhaps others, also of ended tokens, from the
 * look-up index. Null: statements have to find them.
 */
export async function readIndexedStates(
  scope: Pick<ReadScope<never>, 'context'>,
  source: TokenSource,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly TokenState[] | null> {
  const found = await readIndexedTokens(scope, source, kinds, accounts);
  return found?.map(({ payload, account, isDetected }) => readState(payload, account, isDetected)) ?? null;
}

/** Those that have not ended. */
function toTokens(states: readonly TokenState[]): readonly ListedToken[] {
  return states.flatMap(({ token, isGone }) => (isGone ? [] : [token]));
}

/** If cells and get methods identify a token, the cells count. */
function preferCells(tokens: readonly ListedToken[]): ListedToken[] {
  const toName = ({ kind, address }: TokenRow) => `${kind} ${address}`;
  const known = new Set(tokens.filter(({ isDetected }) => !isDetected).map(toName));
  return tokens.filter((token) => !(token.isDetected && known.has(toName(token))));
}

/** Newest states of accounts in each database, of any kind, also of ended tokens. They are cached if none is above the visible range. */
async function readNewest(
  scope: NewestScope,
  source: TokenSource,
  accounts: readonly AccountId[],
): Promise<readonly TokenState[]> {
  const { database, detected, visible } = source;
  const wanted = new Set(accounts.map(rawAddress));
  const shared = await scope.share(NEWEST, [...wanted], { database, detected });
  const states = newestStates(shared.filter(({ token }) => wanted.has(token.address)));
  if (states.some(({ token }) => token.mcSeqno > visible.last)) return states;
  const [known, prefix] = [getKnown(scope.context.client), toPrefix(scope, source)];
  const tokens = Map.groupBy(toTokens(states), ({ address }) => address);
  for (const address of wanted) known.set(`${prefix} ${address}`, tokens.get(address) ?? []);
  return states;
}

/** The newest state of each account and kind in each database: rows of one token are merged in time. */
function newestStates(states: readonly TokenState[]): readonly TokenState[] {
  const newest = new Map<string, TokenState>();
  for (const state of states) {
    const { kind, address, lt, isDetected } = state.token;
    const name = `${kind} ${address} ${isDetected}`;
    const known = newest.get(name);
    if (!known || BigInt(lt) >= BigInt(known.token.lt)) newest.set(name, state);
  }
  return [...newest.values()];
}

/** States of accounts, and perhaps of others. */
const NEWEST = new SharedLookUp<readonly TokenState[], TokenDatabases>(async (scope, addresses, source) =>
  tokenStates(await scope.queryBytes(planNewestTokens(source, addresses.map(accountOfRaw)))),
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

type NamedScope = Pick<ReadScope<never>, 'query' | 'context'>;

/** Parents of one statement. */
const PARENTS_AT_ONCE = 1_000;

/** Codes that masters and collections of a store name, by database: what one names is read again after this time. */
const getNamed = perOwner<StoreClient, LRUCache<string, true>>(
  () => new LRUCache({ max: 100_000, ttl: FRESH_MS }),
);

/** A wallet or an item, by its parent and the code that this one must name. A detected one was confirmed by it. */
export type Child = Pick<TokenRow, 'kind' | 'parent' | 'childCode' | 'isDetected'>;

/**
 * Rows whose parent names their code or confirmed them, and rows of kinds that need no parent. One query for values
 * outside the cache and the look-up index.
 */
export async function namedByParents<T extends Child>(
  scope: NamedScope,
  source: TokenSource,
  tokens: readonly T[],
): Promise<readonly T[]> {
  const buildName = (kind: TokenKind | undefined, parent: string | null, code: string) =>
    `${source.database} ${kind} ${parent} ${code}`;
  const toName = ({ kind, parent, childCode }: Child) => buildName(parentKind(kind), parent, childCode);
  const cached = getNamed(scope.context.client);
  const needsNone = ({ kind, isDetected }: Child) => isDetected || !parentKind(kind);
  const children = tokens.filter((token) => !needsNone(token) && token.parent !== null);
  const named = new Set(children.map(toName).filter((name) => cached.has(name)));
  const open = children.filter((child) => !named.has(toName(child)));
  if (open.length > 0) {
    const parents = distinctAccounts(open.map(({ parent }) => accountOfRaw(parent as string)));
    const kinds = new Set(open.flatMap(({ kind }) => parentKind(kind) ?? []));
    const indexed = await readIndexedStates(scope, source, [...kinds], parents);
    for (const { token } of indexed ?? []) named.add(buildName(token.kind, token.address, token.childCode));
    for (const [kind, parent, code] of indexed ? [] : await readNamed(scope, source, kinds, parents)) {
      named.add(buildName(kind, parent, code));
      cached.set(buildName(kind, parent, code), true);
    }
  }
  return tokens.filter((one) => needsNone(one) || (one.parent !== null && named.has(toName(one))));
}

type NamedCode = readonly [kind: TokenKind, parent: string, code: string];

async function readNamed(
  scope: NamedScope,
  source: TokenSource,
  kinds: ReadonlySet<TokenKind>,
  parents: readonly AccountId[],
): Promise<readonly NamedCode[]> {
  const named: NamedCode[] = [];
  for (let at = 0; at < parents.length; at += PARENTS_AT_ONCE) {
    const rows = await scope.query(planNamed(source, kinds, parents.slice(at, at + PARENTS_AT_ONCE)));
    for (const [kind, workchain, hash, code] of rows)
      named.push([kind as TokenKind, toRaw(workchain, hash), String(code)]);
  }
  return named;
}

function toRaw(workchain: unknown, hash: unknown): string {
  return rawAddress({ workchain: Number(workchain), hash: String(hash) });
}
