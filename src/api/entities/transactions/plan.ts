import { PACKED_TABLE } from '../../compat/packed-transactions.ts';
import { hash8, isAccount, toNumbers } from '../../query/keys.ts';
import { type Page, toLimit, way } from '../../query/page.ts';
import { and, identifier, join, type Sql, sql, u32, unsafeSql } from '../../query/sql.ts';
import { chooseStrategy, type Strategy } from '../../query/strategy.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { BlockRange } from '../blocks/range.ts';
import { isAtMessage } from '../messages/ends.ts';
import { passes } from './conditions.ts';
import { hasTimeBound, isScannedByTime, type TransactionFilter } from './filter.ts';
import { TRANSACTION_SELECT } from './model.ts';
import { BY_LT, BY_TIME, isBeyond, isOnPage } from './order.ts';

/** Up to this many accounts are read one at a time, each in order and only for the page. */
const ACCOUNTS_READ_SINGLY = 8;
/** Beyond this offset the skipped rows are read by key only. */
const WIDE_OFFSET = 1000;

/** Bounds of a page's rows before they are read. */
export interface PageBounds {
  readonly visible: VisibleRange;
  /** The logical times of the blocks that the filter names. */
  readonly range?: BlockRange | null;
  /** Bound of the page in a list in the order of lt, decimal text. */
  readonly edge?: string | undefined;
}

/** A list in one database. `where`: all filters, except accounts that are read singly. */
interface List {
  readonly database: string;
  readonly filter: TransactionFilter;
  readonly page: Page;
  readonly where: Sql;
}

interface Path extends Strategy<TransactionFilter> {
  plan(list: List): Sql;
}

const hasAccounts = ({ accounts = [] }: TransactionFilter) => accounts.length > 0;

/** Ways to read a list of transactions; their names are in tests. */
const PATHS: readonly Path[] = [
  { name: 'hash', fits: ({ hashes = [] }) => hashes.length > 0, plan: byHash },
  { name: 'lt', fits: ({ lt }) => lt !== undefined, plan: byLt },
  { name: 'account', fits: ({ accounts = [] }) => accounts.length === 1, plan: byAccount },
  { name: 'accounts', fits: hasAccounts, plan: byAccounts },
  // Blocks of one seqno may be years apart; one block of a whole id is short.
  { name: 'block', fits: isOneBlock, plan: byBoundedTime },
  { name: 'block', fits: ({ seqno }) => seqno !== undefined, plan: byLogicalTime },
  { name: 'masterchain-block', fits: ({ mcSeqno }) => mcSeqno !== undefined, plan: byBoundedTime },
  { name: 'logical-time', fits: () => true, plan: byLogicalTime },
];

function isOneBlock({ workchain, shard, seqno }: TransactionFilter): boolean {
  return workchain !== undefined && shard !== undefined && seqno !== undefined;
}

/**
 * The one statement that answers a list of transactions, in its final order (v3-endpoints.md 2.5), whatever the
 * filters, within the range of planBlockRange. Lists ordered by time without an account are in by-time.ts.
 */
export function planTransactions(
  database: string,
  filter: TransactionFilter,
  page: Page,
  { visible, range, edge }: PageBounds,
): { readonly path: string; readonly statement: Sql } {
  const path = chooseStrategy(PATHS, filter);
  // Streams of single accounts carry their account themselves.
  const common = path.plan === byAccounts && isReadSingly(filter) ? { ...filter, accounts: [] } : filter;
  const where = and(
    edge !== undefined && isBeyond(page, literal(edge)),
    range && sql`lt >= ${literal(range.startLt)} AND lt <= ${literal(range.endLt)}`,
    passes(common, visible),
    filter.message && isAtMessage(database, filter.message, visible),
  );
  const plan = edge ? byBoundedTime : path.plan;
  return { path: path.name, statement: plan({ database, filter, page, where }) };
}

function isReadSingly({ accounts = [] }: TransactionFilter): boolean {
  return accounts.length <= ACCOUNTS_READ_SINGLY;
}

/** The table of lts by the first 8 bytes of a hash. */
export function hashIndex(database: string): Sql {
  return identifier(database, 'transaction_hashes');
}

function byHash({ database, filter: { hashes = [], scan }, page, where }: List): Sql {
  const index = sql`${hashIndex(database)} PREWHERE hash8 IN ${toNumbers(hashes.map(hash8))}`;
  const own = and(sql`lt IN (SELECT lt FROM ${index})`, where);
  const order = scan ? BY_LT.by(page.descending) : sql`hash ${way(page)}`;
  return select({ database, page, where: own }, PACKED_TABLE, order);
}

function byLt(list: List): Sql {
  const { filter, page } = list;
  const dir = way(page);
  const order = filter.scan ? BY_LT.by(page.descending) : sql`lt ASC, workchain ${dir}, account ${dir}`;
  return select(list, hasAccounts(filter) ? 'account_transactions' : PACKED_TABLE, order);
}

/** The order by time of one account is its order by lt: both only grow along its chain of transactions. */
function byAccount(list: List): Sql {
  const { database, page, where } = list;
  const order = sql`lt ${way(page)}`;
  if (page.offset <= WIDE_OFFSET) return select(list, 'account_transactions', order);
  const key = sql`account, workchain, lt`;
  const table = identifier(database, 'account_transactions');
  const keys = sql`SELECT ${key} FROM ${table} PREWHERE ${where} ORDER BY ${order} ${toLimit(page)}`;
  return byKeys(table, sql`(${key})`, keys, order);
}

function byAccounts(list: List): Sql {
  const { database, filter, page } = list;
  const table = identifier(database, 'account_transactions');
  const isByTime = filter.scan ? isScannedByTime(filter) : hasTimeBound(filter);
  const order = (isByTime ? BY_TIME : BY_LT).by(page.descending);
  const key = sql`account, workchain, lt`;
  const keys = sql`SELECT ${key} FROM ${accountStreams(table, list)} ORDER BY ${order} ${toLimit(page)}`;
  return byKeys(table, sql`(${key})`, keys, order);
}

/** The rows that may be on the page: for a few accounts the first of each, for many all of them, keys only. */
function accountStreams(table: Sql, { filter, page, where }: List): Sql {
  const rows = sql`SELECT account, workchain, lt, now FROM ${table} WHERE`;
  if (!isReadSingly(filter)) return sql`(${rows} ${where})`;
  const most = sql`${u32(page.limit)} + ${u32(page.offset)}`;
  const streams = (filter.accounts ?? []).map(
    (account) => sql`(${rows} ${isAccount(account)} AND ${where} ORDER BY lt ${way(page)} LIMIT ${most})`,
  );
  return sql`(${join(streams, ' UNION ALL ')})`;
}

/** Path over a range of lt that is short enough to be read at once. */
function byBoundedTime(list: List): Sql {
  const { page } = list;
  if (page.offset > WIDE_OFFSET) return byLogicalTime(list);
  return select(list, PACKED_TABLE, BY_LT.by(page.descending));
}

function byLogicalTime({ database, page, where }: List): Sql {
  const columns = identifier(database, 'transactions');
  const order = BY_LT.by(page.descending);
  if (page.offset <= WIDE_OFFSET) {
    // The last lt of the page first, only from the key column: answers are then read for the page and its ties, and not
    // from the end of every part (measured: 2 GiB for large rows and many parts).
    const keys = sql`SELECT lt FROM ${columns} PREWHERE ${where} ORDER BY lt ${way(page)} LIMIT ${u32(page.limit)} + ${u32(page.offset)}`;
    return select({ database, page, where: and(isOnPage(page, keys), where) }, PACKED_TABLE, order);
  }
  const keys = sql`SELECT lt, account, workchain FROM ${columns} PREWHERE ${where} ORDER BY ${order} ${toLimit(page)}`;
  return byKeys(identifier(database, PACKED_TABLE), sql`(lt, account, workchain)`, keys, order);
}

/** A number in the text: the statement is planned sooner. */
function literal(lt: string): Sql {
  return unsafeSql(`${BigInt(lt)}`);
}

/** PREWHERE by name: the planner would come to the same, later. */
function select({ database, page, where }: Omit<List, 'filter'>, table: string, order: Sql): Sql {
  return sql`SELECT ${TRANSACTION_SELECT} FROM ${identifier(database, table)} PREWHERE ${where} ORDER BY ${order} ${toLimit(page)}`;
}

function byKeys(table: Sql, key: Sql, keys: Sql, order: Sql): Sql {
  return sql`SELECT ${TRANSACTION_SELECT} FROM ${table} WHERE ${key} IN (${keys}) ORDER BY ${order}`;
}
