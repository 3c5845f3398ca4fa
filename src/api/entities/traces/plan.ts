import { PACKED_TABLE } from '../../compat/packed-transactions.ts';
import type { AccountId } from '../../query/account-id.ts';
import { hash8, isAccount, toHashes, toNumbers, toTuples } from '../../query/keys.ts';
import { type Page, toLimit, way } from '../../query/page.ts';
import { within } from '../../query/scope.ts';
import { and, identifier, type Sql, sql, u32, u64 } from '../../query/sql.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { messageSource } from '../messages/paths.ts';
import { hashIndex } from '../transactions/plan.ts';
import { isOrderedByTime, TRACES, type TraceFilter } from './filter.ts';
import { TRACE_SELECT } from './model.ts';

/** Databases of one answer. */
export interface TraceDatabases {
  readonly base: string;
  readonly traces: string;
}

/** A page of a list of traces. */
export interface TraceList {
  readonly databases: TraceDatabases;
  readonly filter: TraceFilter;
  readonly page: Page;
  readonly visible: VisibleRange;
}

const BY_END = TRACES.order(['endLt', 'page'], ['traceId', 'page']);
const KEY = sql`start_lt, trace8`;

/** The page of traces that a filter names. */
export function planNamedTraces(list: TraceList): Sql {
  const { databases, filter, visible } = list;
  const { traceIds = [], txHashes = [], msgHashes = [], mcSeqno, account } = filter;
  const keys = and(
    within(visible),
    traceIds.length > 0 && sql`(${KEY}) IN (${keysOfIds(databases, traceIds)})`,
    txHashes.length > 0 && sql`(${KEY}) IN (${keysOfTransactions(databases, places(databases, txHashes))})`,
    msgHashes.length > 0 && sql`(${KEY}) IN (${keysOfTransactions(databases, ends(list, msgHashes))})`,
    // A trace that is complete does not change any more: its newest row is of the step that completed it.
    mcSeqno !== undefined && sql`mc_seqno = ${u32(mcSeqno)} AND state = 'complete'`,
    account && sql`(${KEY}) IN (${keysOfAccount(databases, account)})`,
  );
  const ids = traceIds.length > 0 && sql`trace_id IN ${toHashes(traceIds)}`;
  return newest(list, keys, and(...rest(filter), ids));
}

/** Traces at one end of a long list. */
export interface TraceCandidates {
  /** The page of the traces among the candidates. */
  readonly traces: Sql;
  /** One row (number of candidates, the last one's lt): fewer than wanted are all that there are. */
  readonly edge: Sql;
}

/**
 * The first `wanted` candidates: transactions of the account by lt, or rows of traces by their end. A row may be older than
 * its trace's newest one, so that the page is made of the newest rows of the candidates.
 */
export function planTraceCandidates(list: TraceList, wanted: number): TraceCandidates {
  const { rows, lt } = candidates(list, wanted);
  const keys = and(within(list.visible), sql`(${KEY}) IN (SELECT ${KEY} FROM (${rows(KEY)}))`);
  const last = list.page.descending ? sql`min(at)` : sql`max(at)`;
  return {
    traces: newest(list, keys, and(...rest(list.filter))),
    edge: sql`SELECT toUInt32(count()), ${last} FROM (${rows(sql`${lt} AS at`)})`,
  };
}

/** The statement of some columns of the candidates, and the column by which they are listed. */
function candidates({ databases, filter, page, visible }: TraceList, wanted: number) {
  const { account, scan } = filter;
  const edge = scan?.after && u64(scan.after.endLt);
  // Rows of a trace that ends after a position also end there, or before it in an ascending list.
  const isAtEdge = edge && (scan.descending ? sql`end_lt <= ${edge}` : sql`end_lt >= ${edge}`);
  const found = and(within(visible), ...(account ? [isAccount(account)] : endBounds(filter)), isAtEdge);
  const dir = way(page);
  // The account's transactions in the order of the key: it is read from one side.
  const order = account
    ? sql`account ${dir}, workchain ${dir}, lt ${dir}`
    : sql`end_lt ${dir}, trace8 ${dir}`;
  const table = identifier(databases.traces, account ? 'transaction_traces' : 'traces_by_end');
  const rows = (columns: Sql) =>
    sql`SELECT ${columns} FROM ${table} WHERE ${found} ORDER BY ${order} LIMIT ${u32(wanted)}`;
  return { rows, lt: account ? sql`lt` : sql`end_lt` };
}

/** The newest rows of the traces of some keys, of which those are listed that the other conditions leave. */
function newest({ databases, filter, page }: TraceList, keys: Sql, own: Sql): Sql {
  const dir = way(page);
  const by = isOrderedByTime(filter) ? sql`end_utime` : sql`end_lt`;
  const rows = sql`SELECT * FROM ${identifier(databases.traces, 'traces')} WHERE ${keys} ORDER BY start_lt DESC, trace8 DESC, mc_seqno DESC LIMIT 1 BY ${KEY}`;
  return sql`SELECT ${TRACE_SELECT} FROM (${rows}) WHERE ${own} ORDER BY ${by} ${dir}, trace_id ${dir} ${toLimit(page)}`;
}

/** Transactions of an account after an lt, with the keys of their traces: (lt, start_lt, trace8). */
export function planAccountTraces(
  { databases, page, visible }: Pick<TraceList, 'databases' | 'page' | 'visible'>,
  account: AccountId,
  afterLt: string | null,
): Sql {
  const dir = way(page);
  const after = afterLt !== null && u64(afterLt);
  const isAfter = after && (page.descending ? sql`lt < ${after}` : sql`lt > ${after}`);
  const own = and(within(visible), isAccount(account), isAfter);
  return sql`SELECT toString(lt), toString(start_lt), toString(trace8) FROM ${identifier(databases.traces, 'transaction_traces')} WHERE ${own} ORDER BY account ${dir}, workchain ${dir}, lt ${dir} LIMIT ${u32(page.limit)}`;
}

/** The last transaction of an account in each of some traces: (start_lt, trace8, lt). */
export function planLastInTraces(
  { databases, visible }: Pick<TraceList, 'databases' | 'visible'>,
  account: AccountId,
  keys: readonly TraceKey[],
): Sql {
  const own = and(isOneOfTraces(keys), within(visible), isAccount(account));
  return sql`SELECT toString(start_lt), toString(trace8), toString(max(lt)) FROM ${identifier(databases.traces, 'trace_transactions')} WHERE ${own} GROUP BY ${KEY}`;
}

/** The traces of some keys that the bounds of a list leave. */
export function planTracesOfKeys(list: TraceList, keys: readonly TraceKey[]): Sql {
  const page = { ...list.page, limit: keys.length };
  return newest(
    { ...list, page },
    and(isOneOfTraces(keys), within(list.visible)),
    and(...endBounds(list.filter)),
  );
}

/** The key of a trace in its tables, decimal. */
export interface TraceKey {
  readonly startLt: string;
  readonly trace8: string;
}

/** Condition: a trace is one of some. */
export function isOneOfTraces(keys: readonly TraceKey[]): Sql {
  return sql`(${KEY}) IN ${toTuples(keys.map(({ startLt, trace8 }) => [startLt, trace8]))}`;
}

/** Conditions on the newest row of a trace. */
function rest(filter: TraceFilter): (Sql | false | null | undefined)[] {
  const { scan } = filter;
  return [...endBounds(filter), scan?.after && BY_END.after(scan.after, scan.descending)];
}

function endBounds({ startUtime, endUtime, startLt, endLt }: TraceFilter): (Sql | false)[] {
  return [
    startUtime !== undefined && sql`end_utime >= ${u32(startUtime)}`,
    endUtime !== undefined && sql`end_utime <= ${u32(endUtime)}`,
    startLt !== undefined && sql`end_lt >= ${u64(startLt)}`,
    endLt !== undefined && sql`end_lt <= ${u64(endLt)}`,
  ];
}

/** A trace's id is the hash of its first transaction, whose lt `base` knows. */
function keysOfIds({ base }: TraceDatabases, ids: readonly string[]): Sql {
  return sql`SELECT lt, hash8 FROM ${hashIndex(base)} WHERE hash8 IN ${toNumbers(ids.map(hash8))}`;
}

/** Positions of transactions, in the table with short granules, by hash. */
function places({ base }: TraceDatabases, hashes: readonly string[]): Sql {
  const keys = toNumbers(hashes.map(hash8));
  const index = sql`${hashIndex(base)} PREWHERE hash8 IN ${keys}`;
  return sql`SELECT account, workchain, lt FROM ${identifier(base, PACKED_TABLE)} PREWHERE lt IN (SELECT lt FROM ${index}) AND hash8 IN ${keys} WHERE hash IN ${toHashes(hashes)}`;
}

/** Positions of the transactions at both ends of messages. */
function ends({ databases, visible }: TraceList, hashes: readonly string[]): Sql {
  const { table, where } = messageSource(databases.base, { hashes }, visible);
  return sql`SELECT tx_account, tx_workchain, tx_lt FROM ${table} WHERE ${where}`;
}

function keysOfTransactions({ traces }: TraceDatabases, positions: Sql): Sql {
  return sql`SELECT ${KEY} FROM ${identifier(traces, 'transaction_traces')} WHERE (account, workchain, lt) IN (${positions})`;
}

function keysOfAccount({ traces }: TraceDatabases, account: AccountId): Sql {
  return sql`SELECT ${KEY} FROM ${identifier(traces, 'transaction_traces')} WHERE ${isAccount(account)}`;
}
