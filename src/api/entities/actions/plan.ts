import type { AccountId } from '../../query/account-id.ts';
import { hash8, isAccount, toHashes, toNumbers, toTuples } from '../../query/keys.ts';
import { type Page, toLimit, way } from '../../query/page.ts';
import { within } from '../../query/scope.ts';
import { and, identifier, type Sql, sql, text, texts, u32, u64 } from '../../query/sql.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { messageSource } from '../messages/paths.ts';
import { ACTIONS, type ActionFilter, type ActionTypes } from './filter.ts';
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
  readonly actions: Sql;
  /** One row (number of candidates, the last one's `trace_end_lt`): fewer than wanted are all that there are. */
  readonly edge: Sql;
}

const BY_END = ACTIONS.order(
  ['traceEndLt', 'page'],
  ['trace8', 'page'],
  ['endLt', 'page'],
  ['actionId', 'page'],
);
const KEY = sql`trace_end_lt, trace8, end_lt, action_id`;

/** The actions of up to this many traces or ids are read in one pass: they are adjacent. */
const MAX_ONE_PASS = 16;

/** The page of a list by lt. A long list's keys are read first, then the wide columns of only a page. */
export function planActions(list: ActionList): Sql {
  const { filter, page, databases } = list;
  const { traces, actionIds = [] } = filter;
  const order = BY_END.by(page.descending);
  const rest = sql`FROM ${getTable(list)} WHERE ${passes(list)} ORDER BY ${order} ${toLimit(page)}`;
  const isFew = ({ length }: readonly unknown[]) => length <= MAX_ONE_PASS;
  if ((traces && isFew(traces)) || (actionIds.length > 0 && isFew(actionIds)))
    return sql`SELECT ${ACTION_SELECT} ${rest}`;
  const actions = identifier(databases.actions, 'actions');
  return sql`SELECT ${ACTION_SELECT} FROM ${actions} WHERE (${KEY}) IN (SELECT ${KEY} ${rest}) ORDER BY ${order}`;
}

/** The page in the order of time, of the first `wanted` actions in the order of lt. */
export function planActionCandidates(list: ActionList, wanted: number): ActionCandidates {
  const { page, databases } = list;
  const dir = way(page);
  const candidates = sql`SELECT ${KEY} FROM ${getTable(list)} WHERE ${passes(list)} ORDER BY ${BY_END.by(page.descending)} LIMIT ${u32(wanted)}`;
  const last = page.descending ? sql`min(trace_end_lt)` : sql`max(trace_end_lt)`;
  const byTime = sql`trace_end_utime ${dir}, trace8 ${dir}, trace_id ${dir}, end_utime ${dir}, action_id ${dir}`;
  return {
    actions: sql`SELECT ${ACTION_SELECT} FROM ${identifier(databases.actions, 'actions')} WHERE (${KEY}) IN (${candidates}) ORDER BY ${byTime} ${toLimit(page)}`,
    edge: sql`SELECT toUInt32(count()), toString(${last}) FROM (${candidates})`,
  };
}

/** Only an account is looked up by the index of accounts; traces or actions by the actions themselves. */
function isByAccount({ account, traces, actionIds = [] }: ActionFilter): boolean {
  return account !== undefined && traces === undefined && actionIds.length === 0;
}

function getTable({ databases, filter }: ActionList): Sql {
  return identifier(databases.actions, isByAccount(filter) ? 'action_accounts' : 'actions');
}

function passes({ databases, filter, visible }: ActionList): Sql {
  const { account, traces, txHashes = [], msgHashes = [], actionIds = [], mcSeqno, scan, types } = filter;
  const { startUtime, endUtime, startLt, endLt } = filter;
  return and(
    within(visible),
    traces && isOfTraces(traces),
    actionIds.length > 0 && isAction(databases.actions, actionIds),
    account && (isByAccount(filter) ? isAccount(account) : takesPart(account)),
    txHashes.length > 0 &&
      sql`hasAny(tx_hashes, arrayMap(h -> toFixedString(unhex(h), 32), ${texts(txHashes)}))`,
    msgHashes.length > 0 && hasMessage(databases.base, msgHashes, visible),
    mcSeqno !== undefined && sql`mc_seqno = ${u32(mcSeqno)}`,
    startUtime !== undefined && sql`trace_end_utime >= ${u32(startUtime)}`,
    endUtime !== undefined && sql`trace_end_utime <= ${u32(endUtime)}`,
    startLt !== undefined && sql`trace_end_lt >= ${u64(startLt)}`,
    endLt !== undefined && sql`trace_end_lt <= ${u64(endLt)}`,
    scan?.after && BY_END.after(scan.after, scan.descending),
    hasType(types),
  );
}

function isOfTraces(traces: NonNullable<ActionFilter['traces']>): Sql {
  if (traces.length === 0) return sql`0`;
  return sql`(trace_end_lt, trace8) IN ${toTuples(traces.map(({ end_lt: lt, trace8 }) => [lt, trace8]))}`;
}

/** Condition: an action has one of some ids (64 hex digits each). */
export function isAction(database: string, ids: readonly string[]): Sql {
  const keys = sql`SELECT trace_end_lt, trace8 FROM ${identifier(database, 'action_ids')} WHERE id8 IN ${toNumbers(ids.map(hash8))}`;
  return sql`(trace_end_lt, trace8) IN (${keys}) AND action_id IN ${toHashes(ids)}`;
}

function takesPart({ hash, workchain }: AccountId): Sql {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(workchain);
  return sql`has(accounts, toFixedString(unhex(${text(`${bytes.toString('hex')}${hash}`)}), 36))`;
}

/** Condition: an action has a transaction at an end of one of the messages. */
function hasMessage(base: string, hashes: readonly string[], visible: VisibleRange): Sql {
  const { table, where } = messageSource(base, { hashes }, visible);
  return sql`hasAny(tx_hashes, (SELECT groupArray(tx_hash) FROM ${table} WHERE ${where}))`;
}

/** The least lt at which a trace ended whose actions are new in the visible steps: its block may be older than them. */
export function planActionFloor(database: string, { first, last }: VisibleRange): Sql {
  return sql`SELECT toString(min(trace_end_lt)) FROM ${identifier(database, 'actions')} WHERE mc_seqno BETWEEN ${u32(first)} AND ${u32(last)}`;
}

/** v3-endpoints.md 4.6: types that the client shows, unless it names others, and no part of an action that it shows. */
function hasType({ supported, wanted, excluded }: ActionTypes): Sql {
  const shown = [...supported];
  return and(
    sql`type IN ${texts(wanted.length > 0 ? wanted : shown)}`,
    sql`NOT hasAny(ancestor_types, ${texts(shown)})`,
    excluded.length > 0 && sql`type NOT IN ${texts(excluded)}`,
  );
}
