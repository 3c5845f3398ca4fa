import type { Page } from '../../query/page.ts';
import { type Sql, sql } from '../../query/sql.ts';
import { TRANSACTIONS } from './filter.ts';
import type { TransactionRow } from './model.ts';

/**
 * By lt. Transactions of equal lt are by address text, in byte order, in both ways of a page. The masterchain's,
 * `-1:…`, come first.
 */
export const BY_LT = TRANSACTIONS.order(['lt', 'page'], ['workchain', 'ASC'], ['account', 'ASC']);

/** By time, then as `BY_LT`. */
export const BY_TIME = TRANSACTIONS.order(
  ['now', 'page'],
  ['lt', 'page'],
  ['workchain', 'ASC'],
  ['account', 'ASC'],
);

/** The side of an lt on which a page lies whose last row has it. */
export function isBeyond({ descending }: Pick<Page, 'descending'>, lt: Sql): Sql {
  return descending ? sql`lt >= ${lt}` : sql`lt <= ${lt}`;
}

/** Condition on the lt of a page's rows: up to the last one of `keys`, a statement of their lts. */
export function isOnPage(page: Pick<Page, 'descending'>, keys: Sql): Sql {
  const last = page.descending ? sql`(SELECT min(lt) FROM (${keys}))` : sql`(SELECT max(lt) FROM (${keys}))`;
  return isBeyond(page, last);
}

/** Compares transactions by lt, the newest first where `descending`, then as `BY_LT` does. */
export function compareByLt(
  a: Pick<TransactionRow, 'lt' | 'workchain' | 'account'>,
  b: Pick<TransactionRow, 'lt' | 'workchain' | 'account'>,
  descending = false,
): number {
  const [x, y] = [BigInt(a.lt), BigInt(b.lt)];
  if (x !== y) return x < y === descending ? 1 : -1;
  if (a.workchain !== b.workchain) return a.workchain - b.workchain;
  if (a.account === b.account) return 0;
  return a.account < b.account ? -1 : 1;
}
