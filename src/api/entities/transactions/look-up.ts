import { LRUCache } from 'lru-cache';
import { readsTooMuch } from '../../../platform/clickhouse/store-errors.ts';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { PACKED_TABLE } from '../../compat/packed-transactions.ts';
import { AnswerTooLargeError } from '../../http/errors/http-error.ts';
import { type AccountId, accountOfRaw, rawAddress } from '../../query/account-id.ts';
import { answerCache } from '../../query/answer-cache.ts';
import { hash8, toNumbers } from '../../query/keys.ts';
import type { Page } from '../../query/page.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { MAX_SHARED_KEYS, SharedLookUp } from '../../query/shared-look-up.ts';
import { identifier, type Sql, sql } from '../../query/sql.ts';
import { isUnfiltered, type TransactionFilter } from './filter.ts';
import { findIndexed } from './indexed.ts';
import { TRANSACTION_SELECT, type TransactionRow } from './model.ts';
import { limitsOfPages, pagesOfAccounts, planPagesOfAccounts } from './pages-of-accounts.ts';
import { hashIndex, planTransactions } from './plan.ts';
import { readTransactionStatement } from './rows.ts';

/** Whether nothing but a few hashes is asked for. */
export function isHashLookUp({ hashes = [], ...others }: TransactionFilter): boolean {
  return hashes.length > 0 && hashes.length <= MAX_SHARED_KEYS && isUnfiltered(others);
}

const BY_HASH = new SharedLookUp<ReadonlyMap<string, TransactionRow>>(async (scope, hashes) => {
  const rows = await readTransactionStatement(scope, planByHash(scope.databases.base, hashes));
  const seen = rows.filter(({ mc_seqno: step }) => isVisible(step, scope.visible));
  return new Map(seen.map((row) => [toUpperHex(row.hash), row]));
});

/**
 * Rows by the first 8 bytes of their hash, unordered, visible or not: the packed value has hash and step, and the
 * column of steps would be read, a whole granule, for each key.
 */
export function planByHash(database: string, hashes: readonly string[]): Sql {
  const keys = toNumbers(hashes.map(hash8));
  const index = sql`${hashIndex(database)} PREWHERE hash8 IN ${keys}`;
  return sql`SELECT ${TRANSACTION_SELECT} FROM ${identifier(database, PACKED_TABLE)} PREWHERE lt IN (SELECT lt FROM ${index}) AND hash8 IN ${keys}`;
}

function toUpperHex(base64: string): string {
  return toHex(fromBase64(base64) ?? new Uint8Array()).toUpperCase();
}

/** A page of the transactions with these hashes (64 hex digits), in the order of their hashes. */
export async function lookUpByHash(
  scope: ReadScope,
  hashes: readonly string[],
  { descending, offset, limit }: Page,
): Promise<readonly TransactionRow[]> {
  const keys = [...new Set(hashes.map((hash) => hash.toUpperCase()))].sort();
  const { found: indexed, unknown } = findIndexed(scope, keys);
  const stored = unknown.length === 0 ? indexed : await BY_HASH.find(scope, unknown);
  if (descending) keys.reverse();
  return keys.flatMap((key) => indexed.get(key) ?? stored.get(key) ?? []).slice(offset, offset + limit);
}

/** Longer pages are long for those who share a statement with them. */
const MAX_SHARED_PAGE = 128;
/** An account with so many rows on a page is worth a statement of its own from then on. */
const BUSY_ROWS = 64;

/** Whether the newest or oldest transactions of one account, and nothing else, are asked for. */
export function isAccountLookUp({ accounts = [], ...others }: TransactionFilter, page: Page): boolean {
  const isShort = page.offset === 0 && page.limit <= MAX_SHARED_PAGE;
  return isShort && accounts.length === 1 && isUnfiltered(others);
}

/** Accounts, by raw address, with so many transactions that their pages are read separately. */
const getBusy = answerCache(() => new LRUCache<string, true>({ max: 50_000 }));

/** By raw address: the first rows of each account. */
type Pages = ReadonlyMap<string, readonly TransactionRow[]>;

const BY_ACCOUNT = new SharedLookUp<Pages, Page>(async (scope, addresses, page) => {
  const accounts = addresses.map(accountOfRaw);
  try {
    const rows = await scope.queryBytes(
      planPagesOfAccounts(scope.databases.base, accounts),
      limitsOfPages(accounts),
    );
    return pagesOfAccounts(rows, scope, page);
  } catch (error) {
    const [only] = accounts;
    if (!only || accounts.length > 1 || !isTooLong(error)) throw error;
    const raw = rawAddress(only);
    getBusy(scope).set(raw, true);
    return new Map([[raw, await readPageOfAccount(scope, only, page)]]);
  }
});

/** Whether an account has more than one pass may read or send. */
function isTooLong(error: unknown): boolean {
  return readsTooMuch(error) || error instanceof AnswerTooLargeError;
}

function readPageOfAccount(
  scope: ReadScope,
  account: AccountId,
  page: Page,
): Promise<readonly TransactionRow[]> {
  const filter = { accounts: [account] };
  const { statement } = planTransactions(scope.databases.base, filter, page, { visible: scope.visible });
  return readTransactionStatement(scope, statement);
}

/** A page of one account's transactions, in the order of lt. */
export async function lookUpByAccount(
  scope: ReadScope,
  account: AccountId,
  page: Page,
): Promise<readonly TransactionRow[]> {
  const busy = getBusy(scope);
  const raw = rawAddress(account);
  if (busy.has(raw)) return readPageOfAccount(scope, account, page);
  const rows = (await BY_ACCOUNT.find(scope, [raw], page)).get(raw) ?? [];
  if (rows.length >= BUSY_ROWS) busy.set(raw, true);
  return rows;
}
