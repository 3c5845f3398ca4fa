import { type AccountId, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import type { RawRow } from '../../query/scope.ts';
import type { TokenSource } from './filter.ts';
import type { ListedToken } from './model.ts';
import type { NewestScope } from './newest.ts';
import { comparePlaces, compareTokens, isBehind, type TokenPlace } from './order.ts';
import type { TokenList } from './plan.ts';
import { isRanked, MAX_ABOVE, planAbove, planNamedCodes, planRanked } from './plan-ranked.ts';

/** Merging removes most replaced places; this many more are read than wanted, for those that are left. */
const OVERFETCH = 50;
const MORE = 4;
/** States beyond a page that are read with it. */
const EXTRA = 4;
/** Candidates of one page: their states are read by key. */
const MAX = 20_000;

/** Reads the tokens of a list among few accounts, all of them. */
type ReadAmong = (addresses: readonly AccountId[]) => Promise<readonly ListedToken[]>;

/**
 * A page of one parent's children in ranking order: the beginning of the ranking, then the visible state of each
 * candidate, which decides. Null if the list is not a ranking's, the page is too far from
 * the start, or too many children changed above the visible range.
 */
export async function readRankedTokens(
  scope: NewestScope,
  source: TokenSource,
  list: TokenList,
  readAmong: ReadAmong,
): Promise<readonly ListedToken[] | null> {
  const { page } = list;
  const wanted = page.offset + page.limit;
  if (!isRanked(list)) return null;
  const code = await readNamedCode(scope, source, list);
  for (let length = wanted + OVERFETCH; length <= MAX; length *= MORE) {
    const rows = code === null ? [] : await scope.query(planRanked(source, list, code, length));
    const { candidates, last } = readRanking(list, rows, length);
    const [first, rest] = [candidates.slice(0, wanted + EXTRA), candidates.slice(wanted + EXTRA)];
    const [above, certain] = await Promise.all([
      scope.query(planAbove(source, list)),
      readAmong(distinctAccounts(first.map(getAccount))),
    ]);
    if (above.length > MAX_ABOVE) return null;
    const known = new Set(first.map((one) => rawAddress(one.account)));
    const isOther = (account: AccountId) => !known.has(rawAddress(account));
    const found = [...certain, ...(await readAmong(above.map(accountOfRow).filter(isOther)))];
    for (const account of above.map(accountOfRow)) known.add(rawAddress(account));
    const edge = rest.length === 0 ? last : (first.at(-1)?.place ?? last);
    const few = toPage(found, list, edge);
    if (few) return few;
    if (rest.length === 0) continue;
    found.push(...(await readAmong(distinctAccounts(rest.map(getAccount).filter(isOther)))));
    const all = toPage(found, list, last);
    if (all) return all;
  }
  return null;
}

/**
 * The page of a list among its tokens down to a position; null if there are more tokens and these are too few. An
 * unread child may come before a confirmed one there.
 */
function toPage(
  found: readonly ListedToken[],
  { page, order }: TokenList,
  last: TokenPlace | null,
): readonly ListedToken[] | null {
  const wanted = page.offset + page.limit;
  const isUncertain = isBehind(order, page, last);
  const certain = last ? found.filter((token) => !isUncertain(token)) : found;
  if (certain.length < wanted && last) return null;
  return [...certain].sort(compareTokens(order, page)).slice(page.offset, wanted);
}

/**
 * The code that the parent names in its newest state; a master's may come only from its get methods. Hex; null for
 * none.
 */
async function readNamedCode(
  scope: NewestScope,
  source: TokenSource,
  list: TokenList,
): Promise<string | null> {
  const rows = await Promise.all(planNamedCodes(source, list).map((statement) => scope.query(statement)));
  let newest: RawRow | null = null;
  for (const row of rows.flat())
    if (!newest || BigInt(String(row[1])) > BigInt(String(newest[1]))) newest = row;
  return newest && String(newest[0]);
}

/** A child that the ranking has, and where. */
interface Candidate {
  readonly account: AccountId;
  readonly place: TokenPlace;
}

interface Ranking {
  /** In the order of the list. */
  readonly candidates: readonly Candidate[];
  /** The position of the last read row; null at the end of the ranking. */
  readonly last: TokenPlace | null;
}

function readRanking({ order, page }: TokenList, rows: readonly RawRow[], length: number): Ranking {
  const places = new Map<string, { readonly candidate: Candidate; net: number }>();
  const compare = comparePlaces(order, page);
  let last: TokenPlace | null = null;
  for (const [amount, workchain, hash, net] of rows) {
    const account = { workchain: Number(workchain), hash: String(hash) };
    const key = `${amount} ${rawAddress(account)}`;
    const known = places.get(key);
    if (known) {
      known.net += Number(net);
      continue;
    }
    const place = toPlace(String(amount), account);
    places.set(key, { candidate: { account, place }, net: Number(net) });
    last = furthest(last, place, compare);
  }
  const candidates = [...places.values()].filter(({ net }) => net > 0).map(({ candidate }) => candidate);
  candidates.sort((a, b) => compare(a.place, b.place));
  return { candidates, last: rows.length < length ? null : last };
}

const getAccount = ({ account }: Candidate) => account;

function accountOfRow([workchain, hash]: RawRow): AccountId {
  return { workchain: Number(workchain), hash: String(hash) };
}

/** The ranking does not look at the rest. */
function toPlace(amount: string, { workchain, hash }: AccountId): TokenPlace {
  return { since: 0, lt: '0', parent: '', amount, account: hash, workchain };
}

function furthest(
  last: TokenPlace | null,
  place: TokenPlace,
  compare: ReturnType<typeof comparePlaces>,
): TokenPlace {
  return last && compare(last, place) > 0 ? last : place;
}
