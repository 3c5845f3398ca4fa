import { distinctAccounts } from './account-id.ts';
import { cachesOf } from './answer-caches.ts';
import type { Page } from './page.ts';
import { planByTime, planTimeWindow, timeWindow } from './plan-time-window.ts';
import { type KnownBounds, planTransactions } from './plan-transactions.ts';
import { readBlockRange } from './read-block-range.ts';
import type { ReadScope } from './read-scope.ts';
import type { Statement } from './statement.ts';
import { hasTimeBound, isImpossible, isUnfiltered, type TransactionFilter } from './transaction-filter.ts';
import { type TransactionRow, transactionRows } from './transaction-row.ts';

/** Transactions of a filter in the order of v3-endpoints.md 2.5. One query; by block, or by time and without an account, two. */
export async function readTransactions(
  scope: ReadScope,
  filter: TransactionFilter,
  page: Page,
): Promise<readonly TransactionRow[]> {
  if (isImpossible(filter)) return [];
  if (isOrderedByTime(filter)) return readByTime(scope, filter, page);
  // An account named twice would be read twice and fill the page with the same rows.
  const once = filter.accounts ? { ...filter, accounts: distinctAccounts(filter.accounts) } : filter;
  if (isUnfiltered(once)) return readEdge(scope, page);
  const range = await readBlockRange(scope, filter);
  return readPlanned(scope, once, page, { range });
}

function readPlanned(scope: ReadScope, filter: TransactionFilter, page: Page, known: KnownBounds) {
  const { statement } = planTransactions(scope.database, filter, page, scope.visible, known);
  return readTransactionStatement(scope, statement);
}

/** Nobody looks for a list's new end more often; a list that is read again finds it by itself. */
const EDGE_MS = 5_000;

/**
 * The newest or oldest transactions of all. The page that was read before bounds the next one: blocks only come, so as
 * many rows as the page needs lie on that side of its last row, and a full page of them is the page.
 */
async function readEdge(scope: ReadScope, page: Page): Promise<readonly TransactionRow[]> {
  const { edges } = cachesOf(scope.context, scope.database);
  const key = JSON.stringify(page);
  const found = edges.get(key);
  const edge = found && found.until > Date.now() ? found.lt : undefined;
  let rows = await readPlanned(scope, {}, page, { edge });
  if (edge !== undefined && rows.length < page.limit) rows = await readPlanned(scope, {}, page, {});
  const last = rows.at(-1);
  if (last && rows.length === page.limit) edges.set(key, { lt: last.lt, until: Date.now() + EDGE_MS });
  return rows;
}

/** Rows of any statement over TRANSACTION_SELECT. */
export async function readTransactionStatement(
  scope: ReadScope,
  statement: Statement,
): Promise<readonly TransactionRow[]> {
  return transactionRows(await scope.queryBytes(statement));
}

/** The path by time: no filter says which blocks or accounts, and the list is ordered by `now`. */
function isOrderedByTime(filter: TransactionFilter): boolean {
  const named = (filter.hashes?.length ?? 0) > 0 || (filter.accounts?.length ?? 0) > 0;
  return hasTimeBound(filter) && !named && filter.lt === undefined && filter.mcSeqno === undefined;
}

/** The counts of blocks know nothing of these filters: a window chosen by them may hold too few rows. */
function isNarrowerThanBlocks(filter: TransactionFilter): boolean {
  return (
    (filter.excludeAccounts?.length ?? 0) > 0 || filter.startLt !== undefined || filter.endLt !== undefined
  );
}

/** How much longer the window gets where rows were missing; then all of it is read. */
const LONGER = 16;

async function readByTime(
  scope: ReadScope,
  filter: TransactionFilter,
  page: Page,
): Promise<readonly TransactionRow[]> {
  const wanted = page.limit + page.offset;
  const need = isNarrowerThanBlocks(filter) ? wanted * LONGER : wanted;
  const found = await scope.query(planTimeWindow(scope.database, filter, page, need, scope.visible));
  const window = timeWindow(found[0]);
  if (!window) return [];
  const rows = await readTransactionStatement(
    scope,
    planByTime(scope.database, filter, page, window, scope.visible),
  );
  const whole = window.transactions < need;
  if (whole || rows.length === page.limit || !isNarrowerThanBlocks(filter)) return rows;
  return readTransactionStatement(scope, planByTime(scope.database, filter, page, null, scope.visible));
}
