import type { AccountId } from '../../query/account-id.ts';
import { hash8, hashList, u64List } from '../../query/key-lists.ts';
import { direction, type Page } from '../../query/page.ts';
import { boundToVisible } from '../../query/scope.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { messageSource } from '../messages/paths.ts';
import type { ActionFilter, ActionTypes } from './filter.ts';
import { ACTION_SELECT } from './model.ts';

/** A page of a list of actions. */
export interface ActionList {
  readonly databases: { readonly base: string; readonly actions: string };
  readonly filter: ActionFilter;
  readonly page: Page;
  readonly visible: VisibleRange;
}

/** Actions at one end of a list that is ordered by time, which no table is. */
export interface ActionCandidates {
  /** The page of the candidates. */
  readonly actions: Statement;
  /** One row (number of candidates, the last one's `trace_end_lt`): fewer than wanted are all that there are. */
  readonly edge: Statement;
}

const KEY = 'trace_end_lt, trace8, end_lt, action_id';

/** The actions of up to this many traces or ids are read in one pass: they are adjacent. */
const MAX_ONE_PASS = 16;

/** The page of a list by lt. A long list's keys are read first, then the wide columns of only a page. */
export function planActions(list: ActionList): Statement {
  const { filter, page } = list;
  const conditions = buildConditions(list);
  const { traces, actionIds = [] } = filter;
  if (
    (traces && traces.length <= MAX_ONE_PASS) ||
    (actionIds.length > 0 && actionIds.length <= MAX_ONE_PASS)
  ) {
    conditions.bind({ limit: page.limit, offset: page.offset });
    return conditions.statement(
      `SELECT ${ACTION_SELECT} FROM ${getTable(list)} WHERE ${conditions.text} ORDER BY ${buildOrder(KEY, page)} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    );
  }
  const keys = `SELECT ${KEY} FROM ${getTable(list)} WHERE ${conditions.text} ORDER BY ${buildOrder(KEY, page)} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`;
  conditions.bind({ limit: page.limit, offset: page.offset });
  return conditions.statement(
    `SELECT ${ACTION_SELECT} FROM ${list.databases.actions}.actions WHERE (${KEY}) IN (${keys}) ORDER BY ${buildOrder(KEY, page)}`,
  );
}

/** The page in the order of time, of the first `wanted` actions in the order of lt. */
export function planActionCandidates(list: ActionList, wanted: number): ActionCandidates {
  const { page } = list;
  const conditions = buildConditions(list).bind({ wanted });
  const candidates = `SELECT ${KEY} FROM ${getTable(list)} WHERE ${conditions.text} ORDER BY ${buildOrder(KEY, page)} LIMIT {wanted:UInt32}`;
  const edge = page.descending ? 'min' : 'max';
  const edgeStatement = conditions.statement(
    `SELECT toUInt32(count()), toString(${edge}(trace_end_lt)) FROM (${candidates})`,
  );
  const paged = new Conditions().bind({ ...conditions.params, limit: page.limit, offset: page.offset });
  const byTime = buildOrder('trace_end_utime, trace8, trace_id, end_utime, action_id', page);
  return {
    actions: paged.statement(
      `SELECT ${ACTION_SELECT} FROM ${list.databases.actions}.actions WHERE (${KEY}) IN (${candidates}) ORDER BY ${byTime} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    ),
    edge: edgeStatement,
  };
}

const buildOrder = (columns: string, page: Page): string =>
  columns
    .split(', ')
    .map((column) => `${column} ${direction(page)}`)
    .join(', ');

/** Only an account is looked up by the index of accounts; traces or actions by the actions themselves. */
function isByAccount({ account, traces, actionIds = [] }: ActionFilter): boolean {
  return account !== undefined && traces === undefined && actionIds.length === 0;
}

function getTable({ databases, filter }: ActionList): string {
  return `${databases.actions}.${isByAccount(filter) ? 'action_accounts' : 'actions'}`;
}

function buildConditions({ databases, filter, visible }: ActionList): Conditions {
  const conditions = boundToVisible(new Conditions(), visible);
  const { account, traces, txHashes = [], msgHashes = [], actionIds = [], mcSeqno, types } = filter;
  if (traces) conditions.add(ofTraces(traces));
  if (actionIds.length > 0)
    conditions.add(
      `(trace_end_lt, trace8) IN (SELECT trace_end_lt, trace8 FROM ${databases.actions}.action_ids WHERE id8 IN ${u64List(actionIds.map(hash8))}) AND action_id IN ${hashList(actionIds)}`,
    );
  if (account) addAccount(conditions, account, isByAccount(filter));
  if (txHashes.length > 0)
    conditions.add(
      'hasAny(tx_hashes, arrayMap(h -> toFixedString(unhex(h), 32), {tx_hashes:Array(String)}))',
      {
        tx_hashes: txHashes,
      },
    );
  if (msgHashes.length > 0) addMessages(conditions, databases.base, msgHashes, visible);
  if (mcSeqno !== undefined) conditions.add('mc_seqno = {mc_seqno:UInt32}', { mc_seqno: mcSeqno });
  addBounds(conditions, filter);
  addPlace(conditions, filter);
  conditions.add(typesText(types));
  return conditions.bind(typeParams(types));
}

function ofTraces(traces: NonNullable<ActionFilter['traces']>): string {
  if (traces.length === 0) return '0';
  const keys = traces.map(({ end_lt: lt, trace8 }) => `(${BigInt(lt)},${BigInt(trace8)})`);
  return `(trace_end_lt, trace8) IN (${keys.join(',')})`;
}

function addAccount(conditions: Conditions, { hash, workchain }: AccountId, isKey: boolean): void {
  if (isKey)
    conditions.add('account = unhex({account:String}) AND workchain = {workchain:Int32}', {
      account: hash,
      workchain,
    });
  else {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(workchain);
    conditions.add('has(accounts, toFixedString(unhex({account:String}), 36))', {
      account: `${bytes.toString('hex')}${hash}`,
    });
  }
}

/** The transactions at both ends of the messages. */
function addMessages(
  conditions: Conditions,
  base: string,
  hashes: readonly string[],
  visible: VisibleRange,
): void {
  const source = messageSource(base, { hashes }, visible);
  conditions.add(
    `hasAny(tx_hashes, (SELECT groupArray(tx_hash) FROM ${source.table} WHERE ${source.conditions.text}))`,
    source.conditions.params,
  );
}

function addBounds(conditions: Conditions, { startUtime, endUtime, startLt, endLt }: ActionFilter): void {
  if (startUtime !== undefined)
    conditions.add('trace_end_utime >= {start_utime:UInt32}', { start_utime: startUtime });
  if (endUtime !== undefined)
    conditions.add('trace_end_utime <= {end_utime:UInt32}', { end_utime: endUtime });
  if (startLt !== undefined) conditions.add('trace_end_lt >= {start_lt:UInt64}', { start_lt: `${startLt}` });
  if (endLt !== undefined) conditions.add('trace_end_lt <= {end_lt:UInt64}', { end_lt: `${endLt}` });
}

function addPlace(conditions: Conditions, { scan }: ActionFilter): void {
  if (!scan?.after) return;
  const { traceEndLt, trace8, endLt, actionId } = scan.after;
  const sign = scan.descending ? '<' : '>';
  conditions.add(
    `trace_end_lt ${sign}= {after_lt:UInt64} AND (trace_end_lt ${sign} {after_lt:UInt64} OR (trace8, end_lt, action_id) ${sign} ({after_trace:UInt64}, {after_end:UInt64}, unhex({after_id:String})))`,
    { after_lt: traceEndLt, after_trace: trace8, after_end: endLt, after_id: actionId },
  );
}

/** The least lt at which a trace ended whose actions are new in the visible steps: its block may be older than them. */
export function planActionFloor(database: string, visible: VisibleRange): Statement {
  return {
    sql: `SELECT toString(min(trace_end_lt)) FROM ${database}.actions WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}`,
    params: { ...visible },
  };
}

/** v3-endpoints.md 4.6: types that the client shows, unless it names others, and no part of an action that it shows. */
function typesText({ excluded }: ActionTypes): string {
  const texts = ['type IN {types:Array(String)}', 'NOT hasAny(ancestor_types, {supported:Array(String)})'];
  if (excluded.length > 0) texts.push('type NOT IN {excluded:Array(String)}');
  return texts.join(' AND ');
}

function typeParams({ supported, wanted, excluded }: ActionTypes) {
  return {
    supported: [...supported],
    types: wanted.length > 0 ? wanted : [...supported],
    ...(excluded.length > 0 && { excluded }),
  };
}
