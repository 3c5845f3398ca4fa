import type { RowReplacement } from '../../../engine/projection/correction.ts';
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
  const expected = outcomes.flatMap(({ actions }) =>
    actions.map((action) => {
      const { details, raw } = toPayload(action);
      return toText(toId(action), action.type, action.ancestorTypes.join(','), action.success, details, raw);
    }),
  );
  return JSON.stringify(expected.sort()) === JSON.stringify(stored.map(({ text }) => text).sort());
}

/**
 * Rows of traces and of their step in place of the stored ones. A stored action is deleted last: by it a repeated call
 * finds the rest.
 */
export function replaceActions(
  step: ClassifiedStep,
  outcomes: readonly TraceActions[],
  stored: readonly StoredAction[],
): RowReplacement {
  const rows = new ActionRows();
  rows.pushTraces({ ...step, outcomes });
  rows.pushCounts(step);
  const actions = outcomes.flatMap((one) => one.actions);
  const accounts = [...stored.flatMap((one) => one.accounts), ...actions.flatMap(toLiterals)];
  const ids = [...stored.map(({ actionId }) => actionId), ...actions.map(toId)].map(
    (id) => `${Buffer.from(id, 'hex').readBigUInt64BE(0)}`,
  );
  const isOf = isOfTraces(outcomes);
  const traceIds = outcomes.map(({ trace }) => `unhex('${toHex(trace.trace_id)}')`);
  const among = (table: string, key: string, values: readonly string[], where: string) =>
    chunks([...new Set(values)]).map((some) => ({ table, where: `${key} IN (${some.join(', ')})${where}` }));
  return {
    deletes: [
      ...among('action_accounts', '(account, workchain)', accounts, ` AND ${isOf}`),
      ...among('action_ids', 'id8', ids, ` AND ${isOf}`),
      ...among('action_problems', 'trace_id', traceIds, ''),
      { table: 'action_steps', where: '1' },
      { table: 'actions', where: isOf },
    ],
    tables: rows.tables.filter(({ name }) => REPLACED.includes(name)),
  };
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
