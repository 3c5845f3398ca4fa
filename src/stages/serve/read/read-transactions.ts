import { distinctAccounts } from './account-id.ts';
import type { Page } from './page.ts';
import { planByTime, planTimeWindow, timeWindow } from './plan-time-window.ts';
import { planTransactions } from './plan-transactions.ts';
import { readBlockRange } from './read-block-range.ts';
import type { ReadScope } from './read-scope.ts';
import type { Statement } from './statement.ts';
import { hasTimeBound, isImpossible, type TransactionFilter } from './transaction-filter.ts';
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
  const range = await readBlockRange(scope, filter);
  const { statement } = planTransactions(scope.database, once, page, scope.visible, range);
  return readTransactionStatement(scope, statement);
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
