import type { Action, Fields } from '../model/action.ts';

/** Columns that every type has, null where its rule fills nothing in. */
const PLAIN = {
  source: null,
  source_secondary: null,
  destination: null,
  destination_secondary: null,
  asset: null,
  asset_secondary: null,
  asset2: null,
  asset2_secondary: null,
  opcode: null,
  value: null,
  amount: null,
};

/**
 * An action as the columns of section 1 of v3-actions-rules, under the names there: how recorded cases state what they
 * expect, and what the API answers as `raw_action`.
 */
export function recordedColumns(action: Action): Fields {
  const { columns, accounts, txHashes } = action;
  return {
    ...PLAIN,
    ...columns,
    type: action.type,
    action_id: action.actionId,
    trace_id: action.traceId,
    parent_action_id: action.parentActionId,
    ancestor_type: action.ancestorTypes,
    success: action.success,
    start_lt: action.startLt,
    end_lt: action.endLt,
    start_utime: action.startUtime,
    end_utime: action.endUtime,
    mc_seqno_end: action.mcSeqnoEnd,
    accounts,
    tx_hashes: txHashes,
  };
}
