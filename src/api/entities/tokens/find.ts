import { type AccountId, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { findRanked } from '../../query/indexed-ranking.ts';
import { findCandidates, findOwned, hasDetectedChildren } from '../../query/indexed-token-lists.ts';
import { KEYS_PER_PARAMETER, parts } from '../../query/keys.ts';
import type { Page } from '../../query/page.ts';
import type { Strategy } from '../../query/strategy.ts';
import {
  isByFirst,
  isRanked,
  matcher,
  parentKind,
  readIndex,
  type TokenFilter,
  type TokenList,
  type TokenScope,
  type TokenSource,
  toAccount,
  tokenSource,
  toPage,
} from './filter.ts';
import {
  isDescending,
  type ListedToken,
  type TokenKind,
  type TokenOrder,
  type TokenRow,
  tokenRows,
} from './model.ts';
import { readIndexedStates, readTokensAmong, type TokensAmong } from './newest.ts';
import {
  CONFIRMED,
  hasDetected,
  MAX_ABOVE,
  planAbove,
  planCandidates,
  planChildCodes,
  planFirstTokens,
  planHiddenTokens,
  planOwned,
  planRanked,
  planTokens,
  planTokensAt,
} from './plan.ts';

/** A list that is asked for. */
interface Request {
  readonly scope: TokenScope;
  readonly source: TokenSource;
  readonly list: TokenList;
}

/** A way to read a list; null if it turns out not to fit: the next one reads it. */
interface ListStrategy extends Strategy<TokenList> {
  read(request: Request): Promise<readonly ListedToken[] | null>;
}

const STRATEGIES: readonly ListStrategy[] = [
  { name: 'few', fits: isFew, read: readFew },
  { name: 'many first ones', fits: isManyFirst, read: (request) => readNewest(request, true) },
  { name: 'index', fits: (list) => isRanked(list) || isByFirst(list), read: readByIndex },
  { name: 'newest states', fits: () => true, read: (request) => readNewest(request, false) },
];

/** Token contracts of a filter, a page of them: from the history of states if no strategy gives them. */
export async function readTokens(
  scope: TokenScope,
  filter: TokenFilter,
  page: Page,
  order: TokenOrder,
): Promise<readonly TokenRow[]> {
  const source = tokenSource(scope);
  const list = { filter, page, order };
  for (const { fits, read } of STRATEGIES) {
    const rows = fits(list) ? await read({ scope, source, list }) : null;
    if (rows) return rows;
  }
  return tokenRows(await scope.queryBytes(planTokensAt(source, list)));
}

/** Those among accounts that are token contracts of some kinds. */
export async function readTokensOfAccounts(
  scope: TokenScope,
  kinds: TokenKind | readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly TokenRow[]> {
  const wanted = typeof kinds === 'string' ? [kinds] : kinds;
  const among = { kinds: wanted, accounts: distinctAccounts(accounts), isListed: false };
  return readAmong(scope, tokenSource(scope), among);
}

/** Tokens among accounts, also if their newest states are above the visible range. */
async function readAmong(
  scope: TokenScope,
  source: TokenSource,
  among: TokensAmong,
): Promise<readonly ListedToken[]> {
  if (among.accounts.length === 0) return [];
  const newest = await readTokensAmong(scope, source, among);
  if (newest) return newest;
  const lists = among.kinds.flatMap((kind) =>
    parts(among.accounts).map((addresses): TokenList => {
      const page = { limit: addresses.length, offset: 0, descending: false };
      return { filter: { kind, addresses }, page, order: 'address' };
    }),
  );
  const read = async (list: TokenList) => tokenRows(await scope.queryBytes(planTokensAt(source, list)));
  return (await Promise.all(lists.map(read))).flat();
}

/** True if a list is of some accounts, or of owners. */
function isFew({ filter: { owners = [], addresses = [], sold } }: TokenList): boolean {
  return !sold && (owners.length > 0 || addresses.length > 0);
}

/** Up to this number, states are read by key. */
const MAX_BY_KEY = 1_000;

/** True if one statement reads a page, since nearly all of the many tokens that were seen first are in the list. */
function isManyFirst(list: TokenList): boolean {
  const { parents = [], isAboveZero = false, after } = list.filter;
  const isAll = isByFirst(list) && parents.length === 0 && !isAboveZero && !after;
  return isAll && list.page.offset + list.page.limit > MAX_BY_KEY;
}

/** A page of few tokens, by simple statements whose rows are chosen and sorted here. Null if there are many. */
async function readFew({ scope, source, list }: Request): Promise<readonly ListedToken[] | null> {
  const { filter } = list;
  const { owners = [], addresses = [] } = filter;
  const accounts = owners.length > 0 ? await readOwned(scope, source, filter) : addresses;
  if (accounts === null || accounts.length > KEYS_PER_PARAMETER) return null;
  const isWanted = matcher(filter, source);
  const among = { kinds: [filter.kind], accounts: distinctAccounts(accounts), isListed: true, isWanted };
  const found = (await readAmong(scope, source, among)).filter(isWanted);
  return needsClaims(list, found) ? null : toPage(list, found, null);
}

/** Accounts that owners own or owned. Null if there are many. */
async function readOwned(
  scope: TokenScope,
  source: TokenSource,
  filter: TokenFilter,
): Promise<readonly AccountId[] | null> {
  const indexed = findOwned(scope, source, filter);
  if (indexed !== undefined) return indexed;
  return (await scope.query(planOwned(source, filter))).map(([chain, hash]) => toAccount(chain, hash));
}

/** True if a claim decides whether a wallet is in a list: a statement joins the claims. */
function needsClaims({ filter: { isAboveZero } }: TokenList, found: readonly ListedToken[]): boolean {
  return isAboveZero === true && found.some(({ amount }) => amount === '0');
}

/**
 * A page by the newest states; null if one above the visible range hides another one. `isFirst`: among the tokens that
 * were seen first; null if they do not fill the page.
 */
async function readNewest(
  { scope, source, list }: Request,
  isFirst: boolean,
): Promise<readonly ListedToken[] | null> {
  const plan = isFirst ? planFirstTokens : planTokens;
  const rows = tokenRows(await scope.queryBytes(plan(source, list)));
  if (rows.some(({ mcSeqno }) => mcSeqno > source.visible.last)) return null;
  if (isFirst && rows.length < list.page.limit) return null;
  const mayHide = list.page.offset > 0;
  const hidden = mayHide ? await scope.query(planHiddenTokens(source, list, isFirst)) : [];
  return hidden.length > 0 ? null : rows;
}

/** Candidates beyond the rows of a page: some are no tokens any more, and merging has not removed all replaced places. */
const OVERFETCH = 50;
/** Spare candidates whose states are read with the page. */
const EXTRA = 4;
const GROWTH = 4;
/** Candidates of one page: their states are read by key. */
const MAX_CANDIDATES = 20_000;

/**
 * A page by an index in the list's order: the ranking of a parent's children, or first appearances. The visible state of
 * each candidate decides. Null if the page is too far from the start, or too many states are above the visible range.
 */
async function readByIndex({ scope, source, list }: Request): Promise<readonly ListedToken[] | null> {
  const { filter, page } = list;
  const wanted = page.offset + page.limit;
  const codes = isRanked(list) ? await readChildCodes(scope, source, list) : null;
  if (codes?.length === 0) return [];
  const children = codes && !hasDetected(codes) ? { ...source, detected: null } : source;
  const isWanted = matcher(filter, source);
  const found: ListedToken[] = [];
  const seen = new Set<string>();
  const read = async (some: readonly AccountId[]) => {
    const accounts = distinctAccounts(some).filter((account) => !seen.has(rawAddress(account)));
    for (const account of accounts) seen.add(rawAddress(account));
    const among = { kinds: [filter.kind], accounts, isListed: true };
    found.push(...(await readAmong(scope, source, among)).filter(isWanted));
  };
  let after = filter.after;
  for (let count = wanted + OVERFETCH, left = MAX_CANDIDATES; left >= count; count *= GROWTH) {
    left -= count;
    const next = { ...list, filter: { ...filter, after } };
    const ranked = codes && findPlaces({ scope, source, list: next }, codes, count);
    const rows = codes
      ? (ranked ?? (await scope.query(planRanked(children, next, codes, count))))
      : (findCandidates(scope, source, next.filter, count) ??
        (await scope.query(planCandidates(source, next.filter, count))));
    const { candidates, last } = readIndex(list, rows, count);
    // Nearly all candidates are in a list: states of spare ones are read if some are not.
    const [first, rest] = [candidates.slice(0, wanted + EXTRA), candidates.slice(wanted + EXTRA)];
    const [above] = await Promise.all([
      // The index has the history of states: a later one hides nothing.
      codes && !ranked ? scope.query(planAbove(children, list)) : [],
      read(first.map(({ account }) => account)),
    ]);
    if (above.length > MAX_ABOVE) return null;
    await read(above.map(([chain, hash]) => toAccount(chain, hash)));
    const few = rest.length === 0 ? null : toPage(list, found, first.at(-1)?.place ?? last);
    if (!few) await read(rest.map(({ account }) => account));
    const listed = few ?? toPage(list, found, last);
    if (needsClaims(list, found)) return null;
    if (listed) return listed;
    after = last;
  }
  return null;
}

/** Rows of the rankings of a list's only parent from the look-up index; null if a statement has to find them. */
function findPlaces({ scope, source, list }: Request, codes: readonly string[], length: number) {
  const { kind, parents: [parent] = [], amounts = [], isAboveZero = false, after } = list.filter;
  if (!parent || amounts.length > 0) return null;
  const ranked = codes.map((code) => {
    const isDetected = code === CONFIRMED && source.detected !== null;
    const mayClaim = isDetected && source.claims !== null;
    return { code, isDetected, isAboveZero: isAboveZero && !mayClaim };
  });
  const descending = isDescending(list);
  return findRanked(scope, source, { kind, parent, descending, after, length, codes: ranked });
}

/** Codes of the children of a list's only parent, as rows of `planChildCodes`. */
async function readChildCodes(
  scope: TokenScope,
  source: TokenSource,
  list: TokenList,
): Promise<readonly string[]> {
  const { kind, parents = [] } = list.filter;
  const named = await readIndexedStates(scope, source, [parentKind(kind) as TokenKind], parents);
  const areDetected = hasDetectedChildren(scope, source, list.filter);
  if (!named || areDetected === null)
    return (await scope.query(planChildCodes(source, list))).map(([code]) => String(code));
  const codes = new Set(
    named.map(({ token }) => Buffer.from(token.childCode, 'base64').toString('hex').toUpperCase()),
  );
  codes.delete(CONFIRMED);
  return [...codes, ...(areDetected ? [CONFIRMED] : [])];
}
