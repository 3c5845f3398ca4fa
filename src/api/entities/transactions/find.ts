import { LRUCache } from 'lru-cache';
import { distinctAccounts } from '../../query/account-id.ts';
import { answerCache } from '../../query/answer-cache.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { isImpossible } from '../blocks/filter.ts';
import { readBlockRange } from '../blocks/range.ts';
import { readTimeWindow } from '../blocks/time-window.ts';
import type { TimeBounds } from './by-time.ts';
import { planByTime } from './by-time.ts';
import { hasTimeBound, isUnfiltered, type TransactionFilter } from './filter.ts';
import { findEdge, findInWindow } from './indexed-lists.ts';
import { isAccountLookUp, isHashLookUp, lookUpByAccount, lookUpByHash } from './look-up.ts';
import type { TransactionRow } from './model.ts';
import { type PageBounds, planTransactions } from './plan.ts';
import { readTransactionStatement } from './rows.ts';

/**
 * Transactions of a filter in the order of v3-endpoints.md 2.5. One query; by block, or by time and without an account, two. One
 * fewer for the newest or oldest of all, or by time alone, if the look-up index has them.
 */
export async function readTransactions(
  scope: ReadScope,
  filter: TransactionFilter,
  page: Page,
): Promise<readonly TransactionRow[]> {
  if (isImpossible(filter)) return [];
  if (isOrderedByTime(filter)) return readByTime(scope, filter, page);
  // An account named twice would be read twice and fill the page with the same rows.
  const once = filter.accounts ? { ...filter, accounts: distinctAccounts(filter.accounts) } : filter;
  if (isHashLookUp(once)) return lookUpByHash(scope, once.hashes ?? [], page);
  const [account] = once.accounts ?? [];
  if (account && isAccountLookUp(once, page)) return lookUpByAccount(scope, account, page);
  if (isUnfiltered(once)) return readEdge(scope, page);
  const range = await readBlockRange(scope, filter);
  return readPlanned(scope, once, page, { range });
}

function readPlanned(
  scope: ReadScope,
  filter: TransactionFilter,
  page: Page,
  known: Omit<PageBounds, 'visible'>,
) {
  const bounds = { visible: scope.visible, ...known };
  const { statement } = planTransactions(scope.databases.base, filter, page, bounds);
  return readTransactionStatement(scope, statement);
}

/** The lt of a list's last row when it was read, decimal text, and until when it is worth looking from there. */
interface KnownEdge {
  readonly lt: string;
  /** Unix time, milliseconds. */
  readonly until: number;
}

/** Ends of lists of all transactions by their page as text. */
const getEdges = answerCache(() => new LRUCache<string, KnownEdge>({ max: 1_000 }));

/** Minimum interval of searches for a list's new end; a repeated read finds it. */
const EDGE_MS = 5_000;

/**
 * The newest or oldest transactions of all. The previous page bounds the next one: blocks only come, so enough rows are
 * on that side of its last row, and a full page of them is the page.
 */
async function readEdge(scope: ReadScope, page: Page): Promise<readonly TransactionRow[]> {
  const indexed = findEdge(scope, page);
  if (indexed) return indexed;
  const edges = getEdges(scope);
  const key = JSON.stringify(page);
  const found = edges.get(key);
  const edge = found && found.until > performance.now() ? found.lt : undefined;
  let rows = await readPlanned(scope, {}, page, { edge });
  if (edge !== undefined && rows.length < page.limit) rows = await readPlanned(scope, {}, page, {});
  const last = rows.at(-1);
  if (last && rows.length === page.limit) edges.set(key, { lt: last.lt, until: performance.now() + EDGE_MS });
  return rows;
}

/** The path by time: no filter names blocks or accounts, and the list is ordered by `now`. */
function isOrderedByTime(filter: TransactionFilter): boolean {
  const named = (filter.hashes?.length ?? 0) > 0 || (filter.accounts?.length ?? 0) > 0;
  return hasTimeBound(filter) && !named && filter.lt === undefined && filter.mcSeqno === undefined;
}

/** The counts of blocks know nothing of these filters: a window chosen by them may hold too few rows. */
function isNarrowerThanBlocks(filter: TransactionFilter): boolean {
  const bounded = filter.startLt !== undefined || filter.endLt !== undefined;
  return (
    bounded ||
    filter.message !== undefined ||
    filter.scan !== undefined ||
    (filter.excludeAccounts?.length ?? 0) > 0
  );
}

/** True if every transaction of a window passes. */
function isOnlyTimed({ startUtime, endUtime, ...others }: TransactionFilter): boolean {
  return isUnfiltered(others);
}

/** Factor by which the window grows where rows were missing; then all of it is read. */
const GROWTH = 16;

async function readByTime(
  scope: ReadScope,
  filter: TransactionFilter,
  page: Page,
): Promise<readonly TransactionRow[]> {
  const wanted = page.limit + page.offset;
  const need = isNarrowerThanBlocks(filter) ? wanted * GROWTH : wanted;
  const { databases, visible } = scope;
  const { descending } = page;
  const window = await readTimeWindow(scope, filter, { need, descending });
  if (!window) return [];
  const indexed = isOnlyTimed(filter) ? findInWindow(scope, window, page) : null;
  if (indexed) return indexed;
  const read = (bounds: TimeBounds) =>
    readTransactionStatement(scope, planByTime(databases.base, filter, page, bounds));
  const rows = await read({ visible, window });
  const isComplete = window.transactions < need;
  if (isComplete || rows.length === page.limit || !isNarrowerThanBlocks(filter)) return rows;
  return read({ visible, window: null });
}
