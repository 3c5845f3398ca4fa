import { type AccountId, rawAddress } from '../../query/account-id.ts';
import { toHashes } from '../../query/keys.ts';
import type { Page } from '../../query/page.ts';
import type { ReadLimits } from '../../query/scope.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { identifier, type Sql, sql } from '../../query/sql.ts';
import { packedValues, TRANSACTION_SELECT, type TransactionRow, unpackTransactions } from './model.ts';
import { orderOfPayload, type TransactionOrder } from './payload.ts';

/**
 * Maximum rows read for each account, plus a common extra: a granule of 256 each, and some with a few more. Above that,
 * the store refuses the statement before it reads, and each account is read separately, in table order.
 */
const ROWS_OF_ACCOUNT = 320;
const ROWS_BESIDE = 512;
/** Rows are sent whole: if they are long, accounts are read separately too, only for their pages. */
const MAX_BYTES = 8 * 1024 ** 2;

/**
 * All transactions of several accounts with few of them, unordered, visible or not, including accounts with the same
 * hash in other workchains: `pagesOfAccounts` filters. The store reads the column of accounts and the packed one, and
 * compares one column instead of pairs (measured: a third of the CPU of a statement that bounds and sorts).
 */
export function planPagesOfAccounts(database: string, accounts: readonly AccountId[]): Sql {
  const hashes = [...new Set(accounts.map(({ hash }) => hash))];
  return sql`SELECT ${TRANSACTION_SELECT} FROM ${identifier(database, 'account_transactions')} PREWHERE account IN ${toHashes(hashes)}`;
}

/** Bounds of `planPagesOfAccounts`. */
export function limitsOfPages(accounts: readonly AccountId[]): ReadLimits {
  const hashes = new Set(accounts.map(({ hash }) => hash));
  return { mostRows: hashes.size * ROWS_OF_ACCOUNT + ROWS_BESIDE, mostBytes: MAX_BYTES };
}

/** An unread packed transaction, and its position. */
interface Packed extends TransactionOrder {
  readonly value: Buffer;
}

/** By raw address: the first visible rows of each account in the page's order, from RowBinary. Others are not unpacked. */
export function pagesOfAccounts(
  bytes: Buffer,
  { tables, visible }: Pick<ReadScope, 'tables' | 'visible'>,
  { descending, limit }: Pick<Page, 'descending' | 'limit'>,
): ReadonlyMap<string, readonly TransactionRow[]> {
  const seen = packedValues(bytes)
    .map((value): Packed => ({ ...orderOfPayload(value), value }))
    .filter(({ mc_seqno: step }) => isVisible(step, visible));
  const accounts = Map.groupBy(seen, ({ workchain, account: hash }) => rawAddress({ workchain, hash }));
  const pages = new Map<string, readonly TransactionRow[]>();
  for (const [raw, rows] of accounts) {
    rows.sort((a, b) => (a.lt < b.lt === descending ? 1 : -1));
    const page = rows.slice(0, limit).map(({ value }) => value);
    pages.set(raw, unpackTransactions(page, tables));
  }
  return pages;
}
