import { type AccountId, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { KEYS_PER_PARAMETER, parts } from '../../query/keys.ts';
import type { Page } from '../../query/page.ts';
import type { RawRow } from '../../query/scope.ts';
import type { Strategy } from '../../query/strategy.ts';
import {
  matcher,
  type TokenFilter,
  type TokenList,
  type TokenScope,
  type TokenSource,
  tokenSource,
} from './filter.ts';
import {
  comparePlaces,
  compareTokens,
  isAfter,
  type ListedToken,
  type TokenKind,
  type TokenOrder,
  type TokenPlace,
  type TokenRow,
  tokenRows,
} from './model.ts';
import {
  namedByParents,
  readDetected,
  readDetectedAmong,
  readNewestTokens,
  readTokensAmong,
  type TokensAmong,
} from './newest.ts';
import {
  isRanked,
  MAX_ABOVE,
  planAbove,
  planCandidates,
  planHiddenTokens,
  planNamedCodes,
  planOwned,
  planRanked,
  planTokens,
  planTokensAt,
} from './plan.ts';

/** Token contracts of a filter, a page of them: from cells and from detection. */
export async function readTokens(
  scope: TokenScope,
  filter: TokenFilter,
  page: Page,
  order: TokenOrder,
): Promise<readonly TokenRow[]> {
  const source = tokenSource(scope);
  const list = { filter, page, order };
  const [known, detected] = await Promise.all([
    readKnown({ scope, source, list }),
    readDetected(scope, source, list),
  ]);
  if (detected.length === 0) return known;
  // The two lists are one from its first row on.
  const end = page.limit + page.offset;
  const first = { ...list, page: { ...page, limit: end, offset: 0 } };
  const all = page.offset === 0 ? known : await readKnown({ scope, source, list: first });
  return [...withDetected(all, detected)].sort(compareTokens(list)).slice(page.offset, end);
}

/** Those among accounts that are token contracts of some kinds. */
export async function readTokensOfAccounts(
  scope: TokenScope,
  kinds: TokenKind | readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly TokenRow[]> {
  const distinct = distinctAccounts(accounts);
  if (distinct.length === 0) return [];
  const source = tokenSource(scope);
  const wanted = typeof kinds === 'string' ? [kinds] : kinds;
  const [known, detected] = await Promise.all([
    readKnownAmong(scope, source, { kinds: wanted, accounts: distinct, isListed: false }),
    readDetectedAmong(scope, source, wanted, distinct),
  ]);
  return withDetected(known, detected);
}

/** Rows of one list and another without those that it has already, of the same account and kind. */
function withDetected(known: readonly TokenRow[], detected: readonly TokenRow[]): readonly TokenRow[] {
  const has = new Set(known.map(({ kind, address }) => `${kind} ${address}`));
  return [...known, ...detected.filter(({ kind, address }) => !has.has(`${kind} ${address}`))];
}

/** A list from cells that is asked for. */
interface KnownList {
  readonly scope: TokenScope;
  readonly source: TokenSource;
  readonly list: TokenList;
}

/** A way to read a list from cells; null if it turns out not to fit: the next one reads it. */
interface ListStrategy extends Strategy<TokenList> {
  read(known: KnownList): Promise<readonly ListedToken[] | null>;
}

const STRATEGIES: readonly ListStrategy[] = [
  { name: 'few', fits: isFew, read: readFew },
  { name: 'by first appearance', fits: isByFirst, read: readByFirst },
  { name: 'ranked', fits: isRanked, read: readRanked },
  { name: 'newest states', fits: () => true, read: readNewest },
];

/** Tokens of a list from cells; from the history of states if no strategy gives them. */
async function readKnown(known: KnownList): Promise<readonly ListedToken[]> {
  const { scope, source, list } = known;
  for (const { fits, read } of STRATEGIES) {
    const rows = fits(list) ? await read(known) : null;
    if (rows) return rows;
  }
  return tokenRows(await scope.queryBytes(planTokensAt(source, list)));
}

async function readKnownAmong(
  scope: TokenScope,
  source: TokenSource,
  among: TokensAmong,
): Promise<readonly ListedToken[]> {
  const { kinds, accounts } = among;
  if (accounts.length === 0) return [];
  const few = await readTokensAmong(scope, source, among);
  if (few) return few;
  const lists = kinds.flatMap((kind) =>
    parts(accounts).map((addresses) => {
      const page = { limit: addresses.length, offset: 0, descending: false };
      return readKnown({ scope, source, list: { filter: { kind, addresses }, page, order: 'address' } });
    }),
  );
  return (await Promise.all(lists)).flat();
}

/** True if a list is of some accounts, or of owners. */
function isFew({ filter: { owners = [], addresses = [], sold } }: TokenList): boolean {
  return !sold && (owners.length > 0 || addresses.length > 0);
}

/**
 * A page of few tokens, by simple statements whose rows are chosen and sorted here. Null if there are many, or a state
 * above the visible range hides another one.
 */
async function readFew({ scope, source, list }: KnownList): Promise<readonly ListedToken[] | null> {
  const { filter, page } = list;
  const { owners = [], addresses = [] } = filter;
  const accounts =
    owners.length > 0
      ? (await scope.query(planOwned(source, filter))).map(([chain, hash]) => toAccount(chain, hash))
      : addresses;
  if (accounts.length > KEYS_PER_PARAMETER) return null;
  if (accounts.length === 0) return [];
  const newest = await readNewestTokens(scope, source, [filter.kind], distinctAccounts(accounts));
  if (!newest) return null;
  const isWanted = matcher(filter);
  const isBehind = isAfter(list, filter.after);
  const chosen = newest.filter((token) => isWanted(token) && isBehind(token));
  const wanted = await namedByParents(scope, source, chosen);
  return [...wanted].sort(compareTokens(list)).slice(page.offset, page.offset + page.limit);
}

/** A page by the newest states; null if one above the visible range hides another one. */
async function readNewest({ scope, source, list }: KnownList): Promise<readonly ListedToken[] | null> {
  const rows = tokenRows(await scope.queryBytes(planTokens(source, list)));
  if (rows.some(({ mcSeqno }) => mcSeqno > source.visible.last)) return null;
  const isHidden = list.page.offset > 0 && (await scope.query(planHiddenTokens(source, list))).length > 0;
  return isHidden ? null : rows;
}

/** True if a list is read from an index in the order in which its tokens were first seen. */
function isByFirst({ filter, order }: TokenList): boolean {
  const { owners = [], addresses = [], parents = [], amounts = [], isAboveZero = false, after } = filter;
  const isWide = [owners, addresses, amounts].every(({ length }) => length === 0);
  // Without a parent the first rows are one statement, if all of them are in the list.
  const isOfIndex = parents.length === 1 || (parents.length === 0 && (isAboveZero || after !== undefined));
  return order === 'first' && isWide && isOfIndex;
}

/** Candidates beyond the rows of a page: some are no tokens any more. */
const OVERFETCH = 20;
/** Spare candidates whose states are read with the page. */
const EXTRA = 4;
/** Candidates of one statement. */
const MAX_CANDIDATES = 1_000;
/** Rounds after which an unfilled page is given up: nearly all wallets are empty, and one statement reads them all. */
const MAX_ROUNDS = 20;

/** Fields that the order does not compare. */
const LOWEST = { since: 0, lt: '0', amount: '0', parent: '' };

/** A page of a list by first appearance: candidates of an index, filtered by the list. */
async function readByFirst(known: KnownList): Promise<readonly ListedToken[] | null> {
  const { scope, source, list } = known;
  const { filter, page } = list;
  const wanted = page.offset + page.limit;
  const found: ListedToken[] = [];
  let after = filter.after ?? null;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const count = Math.min(MAX_CANDIDATES, (wanted - found.length) * 2 + OVERFETCH);
    const rows = await scope.query(planCandidates(source, { ...filter, after }, count));
    const candidates = rows.map(([since, hash, chain]): Candidate => {
      const account = toAccount(chain, hash);
      return { account, place: toPlace(account, { since: Number(since) }) };
    });
    // Nearly all candidates are in a list without a bound of the balance: states of spare ones are read where some are not.
    const first = round === 0 && !filter.isAboveZero ? wanted + EXTRA : candidates.length;
    for (const some of [candidates.slice(0, first), candidates.slice(first)]) {
      found.push(...(await readCandidates(known, some)));
      if (found.length >= wanted) return found.slice(page.offset, wanted);
    }
    const last = candidates.at(-1);
    if (candidates.length < count || !last) return found.slice(page.offset, wanted);
    after = last.place;
  }
  return null;
}

/** Candidates of the list, in its order. */
async function readCandidates(
  { scope, source, list }: KnownList,
  candidates: readonly Candidate[],
): Promise<readonly ListedToken[]> {
  if (candidates.length === 0) return [];
  const { after: _, ...filter } = list.filter;
  const addresses = distinctAccounts(candidates.map(getAccount));
  const page = { limit: addresses.length, offset: 0, descending: false };
  const rows = await readKnown({
    scope,
    source,
    list: { filter: { ...filter, addresses }, page, order: 'first' },
  });
  // One that appeared again under another code keeps its first position.
  const seen = new Set(candidates.map(({ account, place }) => `${rawAddress(account)} ${place.since}`));
  return rows.filter(({ address, since }) => seen.has(`${address} ${since}`));
}

/** A token that a list may have, and where. */
interface Candidate {
  readonly account: AccountId;
  readonly place: TokenPlace;
}

const getAccount = ({ account }: Candidate) => account;

function toAccount(workchain: unknown, hash: unknown): AccountId {
  return { workchain: Number(workchain), hash: String(hash) };
}

/** A place with the fields that an index has. */
function toPlace({ workchain, hash }: AccountId, fields: Partial<TokenPlace>): TokenPlace {
  return { ...LOWEST, ...fields, account: hash, workchain };
}

/** Merging removes most replaced places; this many more are read than wanted, for those that are left. */
const MORE_RANKED = 50;
const GROWTH = 4;
/** Candidates of one page: their states are read by key. */
const MAX_RANKED = 20_000;

/**
 * A page of one parent's children in ranking order: the beginning of the ranking, then the visible state of each
 * candidate, which decides. Null if the page is too far from the start, or too many children changed above the visible
 * range.
 */
async function readRanked({ scope, source, list }: KnownList): Promise<readonly ListedToken[] | null> {
  const { page, filter } = list;
  const wanted = page.offset + page.limit;
  const isWanted = matcher(filter);
  const readAmong = async (accounts: readonly AccountId[]) =>
    (await readKnownAmong(scope, source, { kinds: [filter.kind], accounts, isListed: true })).filter(
      isWanted,
    );
  const code = newestCode(await scope.query(planNamedCodes(source, list)));
  for (let length = wanted + MORE_RANKED; length <= MAX_RANKED; length *= GROWTH) {
    const rows = code === null ? [] : await scope.query(planRanked(source, list, code, length));
    const { candidates, last } = readRanking(list, rows, length);
    const [first, rest] = [candidates.slice(0, wanted + EXTRA), candidates.slice(wanted + EXTRA)];
    const [aboveRows, certain] = await Promise.all([
      scope.query(planAbove(source, list)),
      readAmong(distinctAccounts(first.map(getAccount))),
    ]);
    if (aboveRows.length > MAX_ABOVE) return null;
    const above = aboveRows.map(([chain, hash]) => toAccount(chain, hash));
    const known = new Set(first.map((one) => rawAddress(one.account)));
    const isOther = (account: AccountId) => !known.has(rawAddress(account));
    const found = [...certain, ...(await readAmong(above.filter(isOther)))];
    for (const account of above) known.add(rawAddress(account));
    const few = toPage(found, list, rest.length === 0 ? last : (first.at(-1)?.place ?? last));
    if (few) return few;
    if (rest.length === 0) continue;
    found.push(...(await readAmong(distinctAccounts(rest.map(getAccount).filter(isOther)))));
    const all = toPage(found, list, last);
    if (all) return all;
  }
  return null;
}

/** The code (hex) that a parent named last; null for none. */
function newestCode(rows: readonly RawRow[]): string | null {
  const newest = rows.reduce<RawRow | null>(
    (known, row) => (known && BigInt(String(known[1])) >= BigInt(String(row[1])) ? known : row),
    null,
  );
  return newest && String(newest[0]);
}

/**
 * The page of a list among its tokens down to a position; null if there are more tokens and these are too few. An
 * unread child may come before a confirmed one there.
 */
function toPage(
  found: readonly ListedToken[],
  list: TokenList,
  last: TokenPlace | null,
): readonly ListedToken[] | null {
  const { page } = list;
  const wanted = page.offset + page.limit;
  const isUncertain = isAfter(list, last);
  const certain = last ? found.filter((token) => !isUncertain(token)) : found;
  if (certain.length < wanted && last) return null;
  return [...certain].sort(compareTokens(list)).slice(page.offset, wanted);
}

interface Ranking {
  /** In the order of the list. */
  readonly candidates: readonly Candidate[];
  /** The position of the last read row; null at the end of the ranking. */
  readonly last: TokenPlace | null;
}

function readRanking(list: TokenList, rows: readonly RawRow[], length: number): Ranking {
  const places = new Map<string, { readonly candidate: Candidate; net: number }>();
  const compare = comparePlaces(list);
  for (const [amount, chain, hash, net] of rows) {
    const account = toAccount(chain, hash);
    const key = `${amount} ${rawAddress(account)}`;
    const known = places.get(key);
    if (known) known.net += Number(net);
    else
      places.set(key, {
        candidate: { account, place: toPlace(account, { amount: String(amount) }) },
        net: Number(net),
      });
  }
  const ranked = [...places.values()].sort((a, b) => compare(a.candidate.place, b.candidate.place));
  const last = rows.length < length ? null : (ranked.at(-1)?.candidate.place ?? null);
  return { candidates: ranked.filter(({ net }) => net > 0).map(({ candidate }) => candidate), last };
}
