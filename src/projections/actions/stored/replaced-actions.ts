import type { RowDelete, RowReplacement } from '../../../engine/projection/correction.ts';
import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { parseAddress } from '../../../ton/address/address.ts';
import type { Action } from '../model/action.ts';
import { ActionRows } from './action-row-set.ts';
import { toPayload } from './action-rows.ts';
import type { ClassifiedStep, TraceActions } from './classify-steps.ts';

/** A stored action of a trace that is classified again. */
interface StoredAction {
  /** Hex, upper case. */
  readonly actionId: string;
  /** Literals of (account, workchain). */
  readonly accounts: readonly string[];
  /** Equal for equal actions. */
  readonly text: string;
}

type StoredCells = [
  id: string,
  accounts: string[],
  type: string,
  ancestors: string,
  success: boolean | number,
  details: string,
  raw: string,
];

/** Keys of one DELETE: its text stays below the server's `max_query_size`. */
const KEYS = 1_000;
/** Tables of a trace's rows; the tokens of the trace stay. */
const REPLACED = ['actions', 'action_accounts', 'action_steps', 'action_problems'];

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const toId = ({ actionId }: Action): string => toHex(Buffer.from(actionId, 'base64'));

function toText(...parts: readonly (string | boolean)[]): string {
  return JSON.stringify(parts);
}

/** Condition for the rows of traces in tables by `trace_end_lt`. */
function isOfTraces(outcomes: readonly TraceActions[]): string {
  const keys = outcomes.map(
    ({ trace }) => `(${trace.end_lt}, ${Buffer.from(trace.trace_id).readBigUInt64BE(0)})`,
  );
  return `(trace_end_lt, trace8) IN (${keys.join(', ')})`;
}

/** Reads the stored actions of traces. */
export async function readStored(
  { client, database }: StoreDatabase,
  position: number,
  outcomes: readonly TraceActions[],
): Promise<readonly StoredAction[]> {
  if (outcomes.length === 0) return [];
  const { rows } = await client.queryRows<StoredCells>(
    `SELECT hex(action_id), arrayMap(a -> hex(a), accounts), type, arrayStringConcat(ancestor_types, ','), success, details, raw_action
     FROM ${database}.actions WHERE mc_seqno = ${position} AND ${isOfTraces(outcomes)}`,
    { route: 'actions/stored', ...RANGE_QUERY, maxResultBytes: 1024 ** 3 },
  );
  return rows.map(([actionId, accounts, type, ancestors, success, details, raw]) => ({
    actionId,
    accounts: accounts.map((hex) => literal(Buffer.from(hex, 'hex').readInt32BE(0), hex.slice(8))),
    text: toText(actionId, type, ancestors, Boolean(success), details, raw),
  }));
}

/** True if the stored actions are those of the outcomes. */
export function areStored(stored: readonly StoredAction[], outcomes: readonly TraceActions[]): boolean {
  const expected = outcomes.flatMap(({ actions }) => actions.map(toActionText));
  return JSON.stringify(expected.sort()) === JSON.stringify(stored.map(({ text }) => text).sort());
}

/** What is known of stored rows before they are replaced. */
export interface StoredRows {
  readonly stored: readonly StoredAction[];
  /** An earlier replacement was cut off: rows of an action may be in some of the tables. */
  readonly isCutOff: boolean;
}

/**
 * Rows of traces and of their step in place of the stored ones. New actions come before those that they replace are
 * deleted, so that a reader never finds a trace without actions. An action that keeps its id, and all actions after a
 * cut-off, are deleted first. The row of `actions` is deleted last: by it a repeated call finds the rest.
 */
export function replaceActions(
  step: ClassifiedStep,
  outcomes: readonly TraceActions[],
  { stored, isCutOff }: StoredRows,
): RowReplacement {
  const texts = new Set(isCutOff ? [] : stored.map(({ text }) => text));
  const added = outcomes.map((one) => ({
    ...one,
    actions: one.actions.filter((action) => !texts.has(toActionText(action))),
  }));
  const addedActions = added.flatMap(({ actions }) => actions);
  const expected = new Set(outcomes.flatMap(({ actions }) => actions.map(toActionText)));
  const gone = isCutOff ? stored : stored.filter(({ text }) => !expected.has(text));
  const addedIds = new Set(addedActions.map(toId));
  const isFirst = ({ actionId }: StoredAction) => isCutOff || addedIds.has(actionId);
  const first = [...gone.filter(isFirst), ...(isCutOff ? addedActions.map(toStored) : [])];
  const isOf = isOfTraces(outcomes);
  const traceIds = outcomes.map(({ trace }) => `unhex('${toHex(trace.trace_id)}')`);
  const rows = new ActionRows();
  rows.pushTraces({ ...step, outcomes: added });
  rows.pushCounts(step);
  return {
    deletes: [
      ...among('action_problems', 'trace_id', traceIds),
      { table: 'action_steps', where: '1' },
      ...buildDeletes(first, isOf),
    ],
    tables: rows.tables.filter(({ name }) => REPLACED.includes(name)),
    deletesAfter: buildDeletes(
      gone.filter((one) => !isFirst(one)),
      isOf,
    ),
  };
}

function toActionText(action: Action): string {
  const { details, raw } = toPayload(action);
  return toText(toId(action), action.type, action.ancestorTypes.join(','), action.success, details, raw);
}

function toStored(action: Action): Pick<StoredAction, 'actionId' | 'accounts'> {
  return { actionId: toId(action), accounts: toLiterals(action) };
}

/** Deletes all rows of actions, those of `actions` last. */
function buildDeletes(
  actions: readonly Pick<StoredAction, 'actionId' | 'accounts'>[],
  isOf: string,
): readonly RowDelete[] {
  const accounts = actions.flatMap((one) => one.accounts);
  const ids = actions.map(({ actionId }) => `unhex('${actionId}')`);
  const numbers = actions.map(({ actionId }) => `${Buffer.from(actionId, 'hex').readBigUInt64BE(0)}`);
  const isOne = among('actions', 'action_id', ids).map(({ where }) => where);
  return [
    ...isOne.flatMap((own) =>
      among('action_accounts', '(account, workchain)', accounts, `${isOf} AND ${own}`),
    ),
    ...among('action_ids', 'id8', numbers, isOf),
    ...isOne.map((own) => ({ table: 'actions', where: `${isOf} AND ${own}` })),
  ];
}

/** Deletes rows with some values, which also fulfil a condition. */
function among(table: string, key: string, values: readonly string[], and = '1'): readonly RowDelete[] {
  return chunks([...new Set(values)]).map((some) => ({
    table,
    where: `${key} IN (${some.join(', ')}) AND ${and}`,
  }));
}

const literal = (workchain: number, hex: string): string => `(unhex('${hex}'), ${workchain})`;

function toLiterals({ accounts }: Action): string[] {
  return accounts.flatMap((account) => {
    const address = parseAddress(account);
    return address ? [literal(address.workchain, toHex(address.hash))] : [];
  });
}

function chunks(values: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(values.length / KEYS) }, (_, i) =>
    values.slice(i * KEYS, (i + 1) * KEYS),
  );
}
