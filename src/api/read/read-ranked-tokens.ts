import { type AccountId, distinctAccounts, rawAddress } from './account-id.ts';
import { isRanked, MOST_ABOVE, planRanked } from './plan-ranked.ts';
import type { TokenList } from './plan-tokens.ts';
import type { RawRow, ReadScope } from './read-scope.ts';
import type { TokenSource } from './token-filter.ts';
import { comparePlaces, compareTokens, isBehind, type TokenPlace } from './token-order.ts';
import type { ListedToken } from './token-row.ts';

/** Merging removes most replaced places; this many more are read than wanted, for those that are left. */
const SPARE = 50;
const MORE = 4;
/** States beyond a page that are read with it. */
const FEW = 4;
/** Candidates of one page: their states are read by key. */
const MOST = 20_000;

/** Reads the tokens of a list among few accounts, all of them. */
type ReadAmong = (addresses: readonly AccountId[]) => Promise<readonly ListedToken[]>;

/**
 * A page of one parent's children in the order of the ranking: the beginning of the ranking, then the visible state of each
 * candidate, which decides. Null where the list is none of the ranking's, the version has no ranking, the page is too far from
 * the list's beginning, or too many children changed above the visible range.
 */
export async function readRankedTokens(
  scope: Pick<ReadScope<never>, 'query'>,
  source: TokenSource,
  list: TokenList,
  readAmong: ReadAmong,
): Promise<readonly ListedToken[] | null> {
  const { page, order } = list;
  const wanted = page.offset + page.limit;
  if (!source.hasRanked || !isRanked(list)) return null;
  for (let length = wanted + SPARE; length <= MOST; length *= MORE) {
    const ranking = readRanking(list, await scope.query(planRanked(source, list, length)), length);
    if (ranking.above.length > MOST_ABOVE) return null;
    const found: ListedToken[] = [];
    for (const { accounts, last } of partsOf(ranking, wanted)) {
      found.push(...(await readAmong(accounts)));
      // Behind this place nothing was read: a child that was not read may stand before a confirmed one there.
      const isUncertain = isBehind(order, page, last);
      const certain = last ? found.filter((token) => !isUncertain(token)) : found;
      if (certain.length >= wanted || !last)
        return [...certain].sort(compareTokens(order, page)).slice(page.offset, wanted);
    }
  }
  return null;
}

/** A child that the ranking has, and where. */
interface Candidate {
  readonly account: AccountId;
  readonly place: TokenPlace;
}

interface Ranking {
  /** In the order of the list. */
  readonly candidates: readonly Candidate[];
  /** Children above the visible range. */
  readonly above: readonly AccountId[];
  /** The place of the last row that was read; null where that is the end of the ranking. */
  readonly last: TokenPlace | null;
}

/** Accounts whose states are read together, and the place behind which none was read; null where there is none. */
interface Part {
  readonly accounts: readonly AccountId[];
  readonly last: TokenPlace | null;
}

/** As many candidates as are wanted and a few, since nearly all are confirmed; then, where some were not, the others. */
function partsOf({ candidates, above, last }: Ranking, wanted: number): readonly Part[] {
  const [first, rest] = [candidates.slice(0, wanted + FEW), candidates.slice(wanted + FEW)];
  const accountsOf = (some: readonly Candidate[]) => some.map(({ account }) => account);
  const known = distinctAccounts([...above, ...accountsOf(first)]);
  const edge = first.at(-1)?.place;
  if (rest.length === 0 || !edge) return [{ accounts: known, last }];
  const has = new Set(known.map(rawAddress));
  const others = accountsOf(rest).filter((account) => !has.has(rawAddress(account)));
  return [
    { accounts: known, last: edge },
    { accounts: distinctAccounts(others), last },
  ];
}

function readRanking({ order, page }: TokenList, rows: readonly RawRow[], length: number): Ranking {
  const candidates: Candidate[] = [];
  const above: AccountId[] = [];
  const compare = comparePlaces(order, page);
  let read = 0;
  let last: TokenPlace | null = null;
  for (const [isAbove, amount, workchain, hash, net, count] of rows) {
    const account = { workchain: Number(workchain), hash: String(hash) };
    if (isAbove === 1) {
      above.push(account);
      continue;
    }
    const place = placeOf(String(amount), account);
    if (Number(net) > 0) candidates.push({ account, place });
    read += Number(count);
    last = furthest(last, place, compare);
  }
  candidates.sort((a, b) => compare(a.place, b.place));
  return { candidates, above, last: read < length ? null : last };
}

/** The ranking does not look at the rest. */
function placeOf(amount: string, { workchain, hash }: AccountId): TokenPlace {
  return { since: 0, lt: '0', parent: '', amount, account: hash, workchain };
}

function furthest(
  last: TokenPlace | null,
  place: TokenPlace,
  compare: ReturnType<typeof comparePlaces>,
): TokenPlace {
  return last && compare(last, place) > 0 ? last : place;
}
