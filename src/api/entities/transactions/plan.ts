import { hash8, u64List } from '../../query/key-lists.ts';
import { direction, type Page } from '../../query/page.ts';
import type { Conditions, Statement } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { BlockRange } from '../blocks/range.ts';
import { addMessageKeys } from '../messages/ends.ts';
import { transactionConditions } from './conditions.ts';
import { hasTimeBound, isScannedByTime, type TransactionFilter } from './filter.ts';
import { PACKED_TABLE, TRANSACTION_SELECT } from './model.ts';
import { TIES } from './order.ts';

/** Path to a list of transactions; named in tests and in `explain` output. */
export type TransactionPath =
  | 'hash'
  | 'lt'
  | 'account'
  | 'accounts'
  | 'block'
  | 'masterchain-block'
  | 'logical-time';

export interface TransactionPlan {
  readonly path: TransactionPath;
  readonly statement: Statement;
}

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

/**
 * The one statement that answers a list of transactions, in its final order (v3-endpoints.md 2.5), whatever the
 * filters, within the range of planBlockRange. Lists ordered by time without an account are not planned here: see plan-time-window.ts.
 */
export function planTransactions(
  database: string,
  filter: TransactionFilter,
  page: Page,
  { visible, range, edge }: PageBounds,
): TransactionPlan {
  const path = getPath(filter);
  // Streams of single accounts carry their account themselves.
  const common = path === 'accounts' && isReadSingly(filter) ? { ...filter, accounts: [] } : filter;
  const conditions = transactionConditions(common, visible);
  if (filter.message) addMessageKeys(conditions, database, filter.message, visible);
  if (range) addBlockRange(conditions, range);
  if (edge) conditions.addFirst(beyond(page, `${BigInt(edge)}`));
  conditions.bind({ limit: page.limit, offset: page.offset });
  const write = edge ? byBoundedTime : STATEMENTS[path];
  return { path, statement: conditions.statement(write(database, conditions, filter, page)) };
}

function isReadSingly({ accounts = [] }: TransactionFilter): boolean {
  return accounts.length <= ACCOUNTS_READ_SINGLY;
}

function getPath(filter: TransactionFilter): TransactionPath {
  if (filter.hashes && filter.hashes.length > 0) return 'hash';
  if (filter.accounts?.length === 1) return filter.lt === undefined ? 'account' : 'lt';
  if (filter.lt !== undefined) return 'lt';
  if (filter.accounts && filter.accounts.length > 1) return 'accounts';
  if (filter.seqno !== undefined) return 'block';
  return filter.mcSeqno === undefined ? 'logical-time' : 'masterchain-block';
}

type Write = (database: string, conditions: Conditions, filter: TransactionFilter, page: Page) => string;

const STATEMENTS: Readonly<Record<TransactionPath, Write>> = {
  hash: byHash,
  lt: byLt,
  account: byAccount,
  accounts: byAccounts,
  block: byBlock,
  'masterchain-block': byBoundedTime,
  'logical-time': byLogicalTime,
};

/** A block's transactions are between its start_lt and end_lt: the range of the primary key. */
function addBlockRange(conditions: Conditions, range: BlockRange): void {
  conditions.addFirst(`lt >= ${BigInt(range.startLt)} AND lt <= ${BigInt(range.endLt)}`);
}

function byHash(database: string, conditions: Conditions, filter: TransactionFilter, page: Page): string {
  const keys = (filter.hashes ?? []).map(hash8);
  conditions.addFirst(
    `lt IN (SELECT lt FROM ${database}.transaction_hashes PREWHERE hash8 IN ${u64List(keys)})`,
  );
  const order = filter.scan ? `lt ${direction(page)}${TIES}` : `hash ${direction(page)}`;
  return select(`${database}.${PACKED_TABLE}`, conditions, order);
}

function byLt(database: string, conditions: Conditions, filter: TransactionFilter, page: Page): string {
  const table = filter.accounts && filter.accounts.length > 0 ? 'account_transactions' : PACKED_TABLE;
  const dir = direction(page);
  const order = filter.scan ? `lt ${dir}${TIES}` : `lt ASC, workchain ${dir}, account ${dir}`;
  return select(`${database}.${table}`, conditions, order);
}

/** The order by time of one account is its order by lt: both only grow along its chain of transactions. */
function byAccount(database: string, conditions: Conditions, _filter: TransactionFilter, page: Page): string {
  const table = `${database}.account_transactions`;
  const order = `lt ${direction(page)}`;
  if (page.offset <= WIDE_OFFSET) return select(table, conditions, order);
  const keys = `SELECT account, workchain, lt FROM ${table} PREWHERE ${conditions.text} ORDER BY ${order} ${LIMIT}`;
  return byKeys(table, '(account, workchain, lt)', keys, order);
}

function byAccounts(database: string, conditions: Conditions, filter: TransactionFilter, page: Page): string {
  const table = `${database}.account_transactions`;
  const dir = direction(page);
  const isByTime = filter.scan ? isScannedByTime(filter) : hasTimeBound(filter);
  const order = isByTime ? `now ${dir}, lt ${dir}${TIES}` : `lt ${dir}${TIES}`;
  const keys = `SELECT account, workchain, lt FROM ${accountStreams(table, conditions, filter, dir)} ORDER BY ${order} ${LIMIT}`;
  return byKeys(table, '(account, workchain, lt)', keys, order);
}

/** The rows that may be on the page: for a few accounts the first of each, for many all of them, keys only. */
function accountStreams(
  table: string,
  conditions: Conditions,
  filter: TransactionFilter,
  dir: string,
): string {
  const accounts = filter.accounts ?? [];
  const rest = conditions.text;
  if (!isReadSingly(filter)) {
    return `(SELECT account, workchain, lt, now FROM ${table} WHERE ${rest})`;
  }
  const streams = accounts.map(({ hash, workchain }, i) => {
    conditions.bind({ [`account_${i}`]: hash, [`account_workchain_${i}`]: workchain });
    const own = `account = unhex({account_${i}:String}) AND workchain = {account_workchain_${i}:Int32}`;
    return `(SELECT account, workchain, lt, now FROM ${table} WHERE ${own} AND ${rest} ORDER BY lt ${dir} LIMIT {limit:UInt32} + {offset:UInt32})`;
  });
  return `(${streams.join(' UNION ALL ')})`;
}

/** Blocks of one seqno may be years apart; one block of a whole id is short. */
function byBlock(database: string, conditions: Conditions, filter: TransactionFilter, page: Page): string {
  const isWholeShard = filter.workchain !== undefined && filter.shard !== undefined;
  return (isWholeShard ? byBoundedTime : byLogicalTime)(database, conditions, filter, page);
}

/** Path over a range of lt that is short enough to be read at once. */
function byBoundedTime(
  database: string,
  conditions: Conditions,
  filter: TransactionFilter,
  page: Page,
): string {
  if (page.offset > WIDE_OFFSET) return byLogicalTime(database, conditions, filter, page);
  return select(`${database}.${PACKED_TABLE}`, conditions, `lt ${direction(page)}${TIES}`);
}

function byLogicalTime(
  database: string,
  conditions: Conditions,
  _filter: TransactionFilter,
  page: Page,
): string {
  const table = `${database}.${PACKED_TABLE}`;
  const columns = `${database}.transactions`;
  const dir = direction(page);
  const order = `lt ${dir}${TIES}`;
  if (page.offset <= WIDE_OFFSET) {
    // The last lt of the page first, only from the key column: answers are then read for the page and its ties, and not
    // from the end of every part (measured: 2 GiB for large rows and many parts).
    const keys = `SELECT lt FROM ${columns} PREWHERE ${conditions.text} ORDER BY lt ${dir} LIMIT {limit:UInt32} + {offset:UInt32}`;
    const last = `(SELECT ${dir === 'DESC' ? 'min' : 'max'}(lt) FROM (${keys}))`;
    return select(table, conditions.addFirst(beyond(page, last)), order);
  }
  const keys = `SELECT lt, account, workchain FROM ${columns} PREWHERE ${conditions.text} ORDER BY ${order} ${LIMIT}`;
  return byKeys(table, '(lt, account, workchain)', keys, order);
}

/** The side of an lt on which a page lies whose last row has it. */
function beyond(page: Page, lt: string): string {
  return `lt ${direction(page) === 'DESC' ? '>=' : '<='} ${lt}`;
}

const LIMIT = 'LIMIT {limit:UInt32} OFFSET {offset:UInt32}';

/** PREWHERE by name: the planner would come to the same, later. */
function select(table: string, conditions: Conditions, order: string): string {
  return `SELECT ${TRANSACTION_SELECT} FROM ${table} PREWHERE ${conditions.text} ORDER BY ${order} ${LIMIT}`;
}

function byKeys(table: string, key: string, keys: string, order: string): string {
  return `SELECT ${TRANSACTION_SELECT} FROM ${table} WHERE ${key} IN (${keys}) ORDER BY ${order}`;
}
