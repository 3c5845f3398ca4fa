import type { VisibleRange } from '../version-vector.ts';
import type { AccountId } from './account-id.ts';
import { accountList } from './key-lists.ts';
import { direction, type Page } from './page.ts';
import { boundToVisible } from './read-scope.ts';
import { Conditions, type Statement } from './statement.ts';
import { TRANSACTION_SELECT } from './transaction-row.ts';

/**
 * Rows that are read for each account, at most, and for all of them beside: a granule of 256 each, and some that have a few more.
 * Where there are more, the store refuses the statement before it reads, and each account is read by itself, in the order of
 * its table.
 */
const ROWS_OF_ACCOUNT = 320;
const ROWS_BESIDE = 512;

/** The first transactions of each of several accounts with few of them, those of each in the page's order: one short read for each. */
export function planPagesOfAccounts(
  database: string,
  accounts: readonly AccountId[],
  page: Page,
  visible: VisibleRange,
): Statement {
  const conditions = boundToVisible(
    new Conditions().add(`(account, workchain) IN ${accountList(accounts)}`),
    visible,
  ).bind({ limit: page.limit });
  return {
    ...conditions.statement(
      `SELECT ${TRANSACTION_SELECT} FROM ${database}.account_transactions PREWHERE ${conditions.text}` +
        ` ORDER BY account, workchain, lt ${direction(page)} LIMIT {limit:UInt32} BY account, workchain`,
    ),
    mostRows: accounts.length * ROWS_OF_ACCOUNT + ROWS_BESIDE,
  };
}
