import type { ActionRow } from '../../entities/actions/model.ts';
import type { ActionAnswer } from '../schemas/action.ts';
import type { TransactionAnswer } from '../schemas/transaction.ts';

/** Optional parts of each action, as a request wants them. */
export interface ActionParts {
  readonly withAccounts: boolean;
  readonly layout: ActionLayout;
  /** Its transactions by hash; null: not asked for. */
  readonly transactions: ReadonlyMap<string, TransactionAnswer> | null;
}

/** Action of v3-models.md section 7 from its row. */
export function storedActionAnswer(
  row: ActionRow,
  { withAccounts, layout, transactions }: ActionParts,
): ActionAnswer {
  return {
    trace_id: row.traceId,
    action_id: row.actionId,
    start_lt: row.startLt,
    end_lt: row.endLt,
    start_utime: row.startUtime,
    end_utime: row.endUtime,
    trace_end_lt: row.traceEndLt,
    trace_end_utime: row.traceEndUtime,
    trace_mc_seqno_end: row.traceMcSeqnoEnd,
    transactions: [...row.txHashes],
    success: row.success,
    type: row.answeredType,
    ...layout,
    ...(row.externalHash === null ? {} : { trace_external_hash: row.externalHash }),
    ...(withAccounts ? { accounts: [...row.accounts] } : {}),
    ...(transactions
      ? { transactions_full: row.txHashes.flatMap((hash) => transactions.get(hash) ?? []) }
      : {}),
    finality: 'finalized',
  };
}

/** Details of an action as answered, and its columns if the type has none. */
export type ActionLayout = Pick<ActionAnswer, 'details' | 'raw_action'>;

/** A type without a layout shows its columns instead (v3-actions.md 2, `unknown`). */
export function getLayout({ type, details, rawAction }: ActionRow): ActionLayout {
  if (details !== '') return { details: JSON.parse(details) as Record<string, unknown> };
  return {
    details: { error: `unsupported action type: '${type}'` },
    raw_action: JSON.parse(rawAction) as Record<string, unknown>,
  };
}
