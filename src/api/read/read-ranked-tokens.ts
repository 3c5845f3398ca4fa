import { type AccountId, distinctAccounts } from './account-id.ts';
import { isRanked, MOST_ABOVE, planRanked } from './plan-ranked.ts';
import type { TokenList } from './plan-tokens.ts';
import type { RawRow, ReadScope } from './read-scope.ts';
import type { TokenSource } from './token-filter.ts';
import { comparePlaces, compareTokens, isBehind, type TokenPlace } from './token-order.ts';
import type { ListedToken } from './token-row.ts';

/** Merging removes most replaced places; this many more are read than wanted, for those that are left. */
const SPARE = 50;
const MORE = 4;
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
    const rows = await scope.query(planRanked(source, list, length));
    const { candidates, above, last } = readRanking(list, rows, length);
    if (above > MOST_ABOVE) return null;
    const tokens = await readAmong(candidates);
    // Behind the last row the ranking was not read: a child that was not read may stand before a confirmed one there.
    const isUncertain = isBehind(order, page, last);
    const certain = last ? tokens.filter((token) => !isUncertain(token)) : tokens;
    if (certain.length >= wanted || !last)
      return [...certain].sort(compareTokens(order, page)).slice(page.offset, wanted);
  }
  return null;
}

interface Ranking {
  readonly candidates: readonly AccountId[];
  /** Children above the visible range. */
  readonly above: number;
  /** The place of the last row that was read; null where that is the end of the ranking. */
  readonly last: TokenPlace | null;
}

function readRanking({ order, page }: TokenList, rows: readonly RawRow[], length: number): Ranking {
  const candidates: AccountId[] = [];
  const compare = comparePlaces(order, page);
  let [above, read] = [0, 0];
  let last: TokenPlace | null = null;
  for (const [isAbove, amount, workchain, hash, net, count] of rows) {
    const account = { workchain: Number(workchain), hash: String(hash) };
    if (Number(net) > 0) candidates.push(account);
    read += Number(count);
    if (isAbove === 1) above++;
    else last = furthest(last, placeOf(String(amount), account), compare);
  }
  return { candidates: distinctAccounts(candidates), above, last: read < length ? null : last };
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
