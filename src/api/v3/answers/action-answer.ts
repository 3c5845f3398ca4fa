import type { ClassifiedAction, FactFields, FactValue } from '../../classifier-port.ts';
import { externalHash, type TraceRow } from '../../entities/traces/model.ts';
import type { ActionAnswer } from '../schemas/action.ts';

/** Fields of its trace that an action shows. */
export type ActionTrace = Pick<
  TraceRow,
  'trace_id' | 'external_hash' | 'end_lt' | 'end_utime' | 'mc_seqno_end'
>;

/** Action of v3-models.md section 7: amounts are decimal text. */
export function actionAnswer(
  action: ClassifiedAction,
  trace: ActionTrace,
  withAccounts = false,
): ActionAnswer {
  const external = externalHash(trace);
  return {
    trace_id: trace.trace_id,
    action_id: action.actionId,
    start_lt: `${action.startLt}`,
    end_lt: `${action.endLt}`,
    start_utime: action.startUtime,
    end_utime: action.endUtime,
    trace_end_lt: trace.end_lt,
    trace_end_utime: trace.end_utime,
    trace_mc_seqno_end: trace.mc_seqno_end,
    transactions: [...action.txHashes],
    success: action.success,
    type: action.answeredType,
    ...getLayout(action),
    ...(external === null ? {} : { trace_external_hash: external }),
    ...(withAccounts ? { accounts: [...action.accounts] } : {}),
    finality: 'finalized',
  };
}

/** Action of a trace that is not wholly in blocks; `trace_id` is null where its first transaction is in none. */
export function pendingActionAnswer(
  action: ClassifiedAction,
  trace: Omit<ActionTrace, 'trace_id'> & { readonly trace_id: string | null },
  withAccounts = false,
): ActionAnswer {
  const { trace_id } = trace;
  const answer = actionAnswer(action, { ...trace, trace_id: trace_id ?? '' }, withAccounts);
  return { ...answer, trace_id, finality: 'pending' };
}

/** The last to end first, as `/actions` has them where nothing else is asked for. */
export function byEnd(a: ClassifiedAction, b: ClassifiedAction): number {
  return Number(b.endLt - a.endLt) || Number(b.startLt - a.startLt);
}

/** A type without a layout shows its columns instead (v3-actions.md 2, `unknown`). */
function getLayout({ type, details, columns }: ClassifiedAction) {
  if (details) return { details: jsonFields(details) };
  return {
    details: { error: `unsupported action type: '${type}'` },
    raw_action: jsonFields(columns),
  };
}

function jsonFields(fields: FactFields): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, jsonValue(value as FactValue)]));
}

function jsonValue(value: FactValue): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (Array.isArray(value)) return value.map(jsonValue);
  return value !== null && typeof value === 'object' ? jsonFields(value as FactFields) : value;
}
