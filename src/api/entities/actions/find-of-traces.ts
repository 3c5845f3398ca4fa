import type { ClassifiedAction, FactFields } from '../../classifier-port.ts';
import { toTuples } from '../../query/keys.ts';
import { type ReadScope, within } from '../../query/scope.ts';
import { identifier, sql } from '../../query/sql.ts';
import type { TraceRow } from '../traces/model.ts';
import { ACTION_SELECT, type ActionRow, actionRow } from './model.ts';

/**
 * The stored actions of traces by trace id, as the classifier returns them. One statement: the look-up index notices
 * corrected actions some seconds later.
 */
export async function readActionsOfTraces(
  { databases, visible, query }: ReadScope<'actions'>,
  traces: readonly Pick<TraceRow, 'end_lt' | 'trace8'>[],
): Promise<ReadonlyMap<string, readonly ClassifiedAction[]>> {
  if (traces.length === 0) return new Map();
  const keys = toTuples(traces.map(({ end_lt: lt, trace8 }) => [lt, trace8]));
  const rows = await query(
    sql`SELECT ancestor_types, ${ACTION_SELECT} FROM ${identifier(databases.actions, 'actions')} WHERE ${within(visible)} AND (trace_end_lt, trace8) IN ${keys} ORDER BY trace_end_lt, trace8, end_lt, action_id`,
  );
  const actions = rows.map(([ancestors, ...values]) => ({ ancestors, row: actionRow(values) }));
  return new Map(
    [...Map.groupBy(actions, ({ row }) => row.traceId)].map(([traceId, own]) => [
      traceId,
      own.map(({ ancestors, row }) => toClassified(row, ancestors as string[])),
    ]),
  );
}

function toClassified(row: ActionRow, ancestorTypes: readonly string[]): ClassifiedAction {
  const { type, answeredType, actionId, success, startUtime, endUtime, accounts, txHashes } = row;
  return {
    ...{ type, answeredType, actionId, ancestorTypes, success, startUtime, endUtime, accounts, txHashes },
    startLt: BigInt(row.startLt),
    endLt: BigInt(row.endLt),
    details: row.details === '' ? null : (JSON.parse(row.details) as FactFields),
    columns: row.rawAction === '' ? {} : (JSON.parse(row.rawAction) as FactFields),
  };
}
