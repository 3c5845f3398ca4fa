import { ACTION_TARGET } from '../../../tables/actions/actions.ts';
import { getLookUp, keyBuilder, valueColumns } from '../../../tables/look-ups/look-ups.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import type { IndexedRow, LookUps } from '../../look-up-port.ts';
import { getLookUps, keysWith, toBuffer } from '../../query/look-ups.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import type { TraceRow } from '../traces/model.ts';
import type { ActionTypes } from './filter.ts';
import { type ActionRow, knownHash } from './model.ts';

/** Where the actions of a trace are. */
export type ActionTrace = Pick<TraceRow, 'end_lt' | 'trace8' | 'mc_seqno_end'>;

/** An action, and the types of those that contain it, outermost first. */
export interface IndexedAction {
  readonly row: ActionRow;
  readonly ancestorTypes: readonly string[];
}

export const OF_TRACE = getLookUp(ACTION_TARGET, 'actions_of_trace');
const toKey = keyBuilder(OF_TRACE);
/** A statement takes less time for more traces or actions. */
const MAX_TRACES = 20;
const MAX_ACTIONS = 200;
/** Of an account: workchain and id. */
export const ACCOUNT_BYTES = 36;

/**
 * The visible actions of some traces from the look-up index, in the order of the table. Null: they are many, or a statement has to
 * find them.
 */
export function findActions(
  scope: ReadScope<'actions'>,
  traces: readonly ActionTrace[],
): readonly IndexedAction[] | null {
  const { visible } = scope;
  const { name } = OF_TRACE.lookUp;
  const lookUps = traces.length > MAX_TRACES ? null : openActions(scope);
  if (!lookUps) return null;
  const rows: IndexedRow[] = [];
  for (const { end_lt: endLt, trace8, mc_seqno_end: end } of traces) {
    const bounds = keysWith(toKey(BigInt(endLt), BigInt(trace8)));
    const found = lookUps.range(name, bounds, MAX_ACTIONS + 1 - rows.length);
    rows.push(...found.filter(({ step }) => isVisible(step, visible)));
    // Actions of a trace come with the step of its end, or later. Asked afterwards: a step may leave the index meanwhile.
    const first = Math.max(end, visible.first);
    if (rows.length > MAX_ACTIONS || !lookUps.covers({ first, last: visible.last })) return null;
  }
  return rows.toSorted((a, b) => Buffer.compare(a.key, b.key)).map(readAction);
}

/** The actions of the look-up index; null if it has none, or their rows lack columns of this release. */
export function openActions({ databases, context }: ReadScope<'actions'>): LookUps | null {
  if (!hasAllColumns(context.getTables?.(databases.actions)?.actions)) return null;
  return getLookUps({ context }, databases.actions, OF_TRACE.lookUp.name);
}

function hasAllColumns(served: Readonly<Record<string, string>> | undefined): boolean {
  return valueColumns(OF_TRACE.lookUp, served).length === valueColumns(OF_TRACE.lookUp).length;
}

/** Reads a row of `actions_of_trace`. */
export function readAction({ key, step, value }: IndexedRow): IndexedAction {
  const place = new RowBinary(toBuffer(key));
  const traceEndLt = place.fixed(8).readBigUInt64BE();
  const trace8 = place.fixed(8).readBigUInt64BE();
  const endLt = place.fixed(8).readBigUInt64BE();
  const actionId = toBase64(place.fixed(32));
  const values = new RowBinary(toBuffer(value));
  const text = () => values.string().toString('utf8');
  // In the order of ACTION_VALUE.
  const [traceId, traceEndUtime] = [toBase64(values.fixed(32)), values.u32()];
  const externalHash = knownHash(toBase64(values.fixed(32)));
  const [startLt, startUtime, endUtime] = [values.decimal(8), values.u32(), values.u32()];
  const [type, answeredType] = [text(), text()];
  const ancestorTypes = readList(values, text);
  const success = values.u8() !== 0;
  const accounts = readList(values, () => toRawAddress(values.fixed(ACCOUNT_BYTES)));
  const txHashes = readList(values, () => toBase64(values.fixed(32)));
  const row: ActionRow = {
    ...{ traceId, actionId, startLt, startUtime, endUtime, traceEndUtime, externalHash, success },
    ...{ trace8: `${trace8}`, endLt: `${endLt}`, traceEndLt: `${traceEndLt}`, traceMcSeqnoEnd: step },
    ...{ txHashes, accounts, type, answeredType, details: text(), rawAction: text() },
  };
  return { row, ancestorTypes };
}

/** Whether the client sees an action: of the types it asks for, and no part of an action that it shows. */
export function typeFilter(types: ActionTypes): (action: IndexedAction) => boolean {
  const wanted = types.wanted.length > 0 ? new Set(types.wanted) : types.supported;
  const excluded = new Set(types.excluded);
  return ({ row, ancestorTypes }) =>
    wanted.has(row.type) &&
    !excluded.has(row.type) &&
    !ancestorTypes.some((type) => types.supported.has(type));
}

function readList<T>(values: RowBinary, read: () => T): readonly T[] {
  return Array.from({ length: values.length() }, read);
}

function toRawAddress(bytes: Buffer): string {
  return `${bytes.readInt32BE()}:${bytes.toString('hex', 4).toUpperCase()}`;
}
