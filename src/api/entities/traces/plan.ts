import type { AccountId } from '../../query/account-id.ts';
import type { ScanPlace } from '../../query/cursor.ts';
import { hash8, hashList, u64List } from '../../query/key-lists.ts';
import { direction, type Page } from '../../query/page.ts';
import { boundToVisible } from '../../query/scope.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { messageSource } from '../messages/paths.ts';
import { PACKED_TABLE } from '../transactions/model.ts';
import { TRACE_SELECT } from './model.ts';

/** Filters of a list of traces (v3-endpoints.md 4.1); all hold together. Hashes are 64 hex digits, bounds inclusive. */
export interface TraceFilter {
  readonly account?: AccountId;
  /** An empty list is no filter; at most one of the three lists is given. */
  readonly traceIds?: readonly string[];
  readonly txHashes?: readonly string[];
  readonly msgHashes?: readonly string[];
  /** Complete traces whose last transaction this masterchain block committed. */
  readonly mcSeqno?: number;
  /** Bounds of the end. */
  readonly startUtime?: number;
  readonly endUtime?: number;
  readonly startLt?: bigint;
  readonly endLt?: bigint;
  /** Place of a scan: the list from here on, always by lt. */
  readonly scan?: ScanPlace<TracePlace>;
}

/** The place of a trace in a list by lt; `endLt` decimal, the id 64 upper-case hex digits. */
export interface TracePlace {
  readonly endLt: string;
  readonly traceId: string;
}

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

/** With a time bound the list is ordered by time; scans are by lt. */
export function isOrderedByTime({ startUtime, endUtime, scan }: TraceFilter): boolean {
  if (scan) return false;
  return startUtime !== undefined || endUtime !== undefined;
}

/** Whether the filter names traces, rather than leaving a stretch of a long list. */
export function namesTraces({ traceIds, txHashes, msgHashes, mcSeqno }: TraceFilter): boolean {
  return [traceIds, txHashes, msgHashes].some((list) => list && list.length > 0) || mcSeqno !== undefined;
}

/** The page of traces that a filter names. */
export function planNamedTraces(list: TraceList): Statement {
  const { databases, filter, visible } = list;
  const keys = boundToVisible(new Conditions(), visible);
  const { traceIds = [], txHashes = [], msgHashes = [], mcSeqno, account } = filter;
  if (traceIds.length > 0) keys.add(`(start_lt, trace8) IN (${keysOfIds(databases, traceIds)})`);
  if (txHashes.length > 0)
    keys.add(`(start_lt, trace8) IN (${keysOfTransactions(databases, planPlaces(databases, txHashes))})`);
  if (msgHashes.length > 0) {
    const { table, conditions } = messageSource(databases.base, { hashes: msgHashes }, visible);
    keys.bind(conditions.params);
    const ends = `SELECT tx_account, tx_workchain, tx_lt FROM ${table} WHERE ${conditions.text}`;
    keys.add(`(start_lt, trace8) IN (${keysOfTransactions(databases, ends)})`);
  }
  // A trace that is complete does not change any more: its newest row is of the step that completed it.
  if (mcSeqno !== undefined)
    keys.add("mc_seqno = {mc_seqno:UInt32} AND state = 'complete'", { mc_seqno: mcSeqno });
  if (account) keys.add(`(start_lt, trace8) IN (${keysOfAccount(databases, keys, account)})`);
  const rest = buildRest(filter);
  if (traceIds.length > 0) rest.add(`trace_id IN ${hashList(traceIds)}`);
  return newest(list, keys, rest);
}

/** Traces at one end of a long list. */
export interface TraceCandidates {
  /** The page of the traces among the candidates. */
  readonly traces: Statement;
  /** One row (number of candidates, the last one's lt): fewer than wanted are all that there are. */
  readonly edge: Statement;
}

/**
 * The first `wanted` candidates: transactions of the account by lt, or rows of traces by their end. A row may be older than
 * its trace's newest one, so that the page is made of the newest rows of the candidates.
 */
export function planTraceCandidates(list: TraceList, wanted: number): TraceCandidates {
  const { databases, filter, page, visible } = list;
  const found = boundToVisible(new Conditions(), visible).bind({ wanted });
  const lt = filter.account ? 'lt' : 'end_lt';
  const table = filter.account ? 'transaction_traces' : 'traces_by_end';
  if (filter.account) addAccount(found, filter.account);
  else addEndBounds(found, filter);
  addPlaceEdge(found, filter);
  const dir = direction(page);
  // The account's transactions in the order of the key: it is read from one side.
  const order = filter.account
    ? `account ${dir}, workchain ${dir}, lt ${dir}`
    : `end_lt ${dir}, trace8 ${dir}`;
  const rows = (columns: string) =>
    `SELECT ${columns} FROM ${databases.traces}.${table} WHERE ${found.text} ORDER BY ${order} LIMIT {wanted:UInt32}`;
  const keys = boundToVisible(new Conditions(), visible).bind(found.params);
  keys.add(`(start_lt, trace8) IN (SELECT start_lt, trace8 FROM (${rows('start_lt, trace8')}))`);
  const edge = page.descending ? 'min' : 'max';
  return {
    traces: newest(list, keys, buildRest(filter)),
    edge: found.statement(`SELECT toUInt32(count()), ${edge}(at) FROM (${rows(`${lt} AS at`)})`),
  };
}

/** The newest rows of the traces of some keys, of which those are listed that the other conditions leave. */
function newest({ databases, filter, page }: TraceList, keys: Conditions, rest: Conditions): Statement {
  const dir = direction(page);
  const by = isOrderedByTime(filter) ? 'end_utime' : 'end_lt';
  rest.bind({ ...keys.params, limit: page.limit, offset: page.offset });
  return rest.statement(
    `SELECT ${TRACE_SELECT} FROM (SELECT * FROM ${databases.traces}.traces WHERE ${keys.text}` +
      ` ORDER BY start_lt DESC, trace8 DESC, mc_seqno DESC LIMIT 1 BY start_lt, trace8) WHERE ${rest.text}` +
      ` ORDER BY ${by} ${dir}, trace_id ${dir} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

/** Transactions of an account after an lt, with the keys of their traces: (lt, start_lt, trace8). */
export function planAccountTraces(
  { databases, page, visible }: Pick<TraceList, 'databases' | 'page' | 'visible'>,
  account: AccountId,
  afterLt: string | null,
): Statement {
  const own = boundToVisible(new Conditions(), visible).bind({ limit: page.limit });
  addAccount(own, account);
  const dir = direction(page);
  if (afterLt !== null) own.add(`lt ${page.descending ? '<' : '>'} {after_lt:UInt64}`, { after_lt: afterLt });
  return own.statement(
    `SELECT toString(lt), toString(start_lt), toString(trace8) FROM ${databases.traces}.transaction_traces` +
      ` WHERE ${own.text} ORDER BY account ${dir}, workchain ${dir}, lt ${dir} LIMIT {limit:UInt32}`,
  );
}

/** The last transaction of an account in each of some traces: (start_lt, trace8, lt). */
export function planLastInTraces(
  { databases, visible }: Pick<TraceList, 'databases' | 'visible'>,
  account: AccountId,
  keys: readonly TraceKey[],
): Statement {
  const own = boundToVisible(new Conditions().add(`(start_lt, trace8) IN ${traceSet(keys)}`), visible);
  addAccount(own, account);
  return own.statement(
    `SELECT toString(start_lt), toString(trace8), toString(max(lt)) FROM ${databases.traces}.trace_transactions` +
      ` WHERE ${own.text} GROUP BY start_lt, trace8`,
  );
}

/** The traces of some keys that the bounds of a list leave. */
export function planTracesOfKeys(list: TraceList, keys: readonly TraceKey[]): Statement {
  const own = boundToVisible(new Conditions().add(`(start_lt, trace8) IN ${traceSet(keys)}`), list.visible);
  return newest(
    { ...list, page: { ...list.page, limit: keys.length } },
    own,
    addEndBounds(new Conditions(), list.filter),
  );
}

/** The key of a trace in its tables, decimal. */
export interface TraceKey {
  readonly startLt: string;
  readonly trace8: string;
}

/** Keys as literals: only numbers. */
function traceSet(keys: readonly TraceKey[]): string {
  return `(${keys.map(({ startLt, trace8 }) => `(${BigInt(startLt)},${BigInt(trace8)})`).join(',')})`;
}

/** Conditions on the newest row of a trace. */
function buildRest(filter: TraceFilter): Conditions {
  const rest = addEndBounds(new Conditions(), filter);
  const { after, descending } = filter.scan ?? {};
  if (!after) return rest;
  return rest.add(
    `(end_lt, trace_id) ${descending ? '<' : '>'} ({after_lt:UInt64}, unhex({after_id:String}))`,
    {
      after_lt: after.endLt,
      after_id: after.traceId,
    },
  );
}

/** Rows of a trace that ends after a position also end there, or before it in an ascending list. */
function addPlaceEdge(conditions: Conditions, { scan }: TraceFilter): void {
  if (scan?.after)
    conditions.add(`end_lt ${scan.descending ? '<=' : '>='} {edge_lt:UInt64}`, { edge_lt: scan.after.endLt });
}

function addEndBounds(
  conditions: Conditions,
  { startUtime, endUtime, startLt, endLt }: TraceFilter,
): Conditions {
  if (startUtime !== undefined)
    conditions.add('end_utime >= {start_utime:UInt32}', { start_utime: startUtime });
  if (endUtime !== undefined) conditions.add('end_utime <= {end_utime:UInt32}', { end_utime: endUtime });
  if (startLt !== undefined) conditions.add('end_lt >= {bound_lt:UInt64}', { bound_lt: `${startLt}` });
  if (endLt !== undefined) conditions.add('end_lt <= {bound_end_lt:UInt64}', { bound_end_lt: `${endLt}` });
  return conditions;
}

function addAccount(conditions: Conditions, { hash, workchain }: AccountId): void {
  conditions.add('account = unhex({account:String}) AND workchain = {workchain:Int32}', {
    account: hash,
    workchain,
  });
}

/** A trace's id is the hash of its first transaction, whose lt `base` knows. */
function keysOfIds({ base }: TraceDatabases, ids: readonly string[]): string {
  return `SELECT lt, hash8 FROM ${base}.transaction_hashes WHERE hash8 IN ${u64List(ids.map(hash8))}`;
}

/** Positions of transactions, in the table with short granules, by hash. */
function planPlaces({ base }: TraceDatabases, hashes: readonly string[]): string {
  const keys = u64List(hashes.map(hash8));
  const index = `${base}.transaction_hashes PREWHERE hash8 IN ${keys}`;
  return (
    `SELECT account, workchain, lt FROM ${base}.${PACKED_TABLE}` +
    ` PREWHERE lt IN (SELECT lt FROM ${index}) AND hash8 IN ${keys} WHERE hash IN ${hashList(hashes)}`
  );
}

function keysOfTransactions({ traces }: TraceDatabases, ends: string): string {
  return `SELECT start_lt, trace8 FROM ${traces}.transaction_traces WHERE (account, workchain, lt) IN (${ends})`;
}

function keysOfAccount({ traces }: TraceDatabases, keys: Conditions, account: AccountId): string {
  const own = new Conditions();
  addAccount(own, account);
  keys.bind(own.params);
  return `SELECT start_lt, trace8 FROM ${traces}.transaction_traces WHERE ${own.text}`;
}
