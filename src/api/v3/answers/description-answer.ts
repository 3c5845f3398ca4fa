import { rawOf } from '../../read/account-id.ts';
import type { TransactionRow } from '../../read/transaction-row.ts';
import type {
  ActionPhaseAnswer,
  BouncePhaseAnswer,
  ComputePhaseAnswer,
  CreditPhaseAnswer,
  DescriptionAnswer,
  SplitInfoAnswer,
  StoragePhaseAnswer,
} from '../schemas/description.ts';

const ABORTABLE = new Set(['ord', 'tick_tock', 'split_prepare', 'merge_prepare', 'merge_install']);
const DESTROYING = new Set(['ord', 'tick_tock', 'split_prepare', 'merge_install']);

/** Description of v3-models.md section 5: phases that did not happen are left out. */
export function descriptionAnswer(row: TransactionRow): DescriptionAnswer {
  const answer: DescriptionAnswer = { type: row.type };
  if (ABORTABLE.has(row.type)) answer.aborted = row.aborted;
  if (DESTROYING.has(row.type)) answer.destroyed = row.destroyed;
  if (row.type === 'ord') answer.credit_first = row.credit_first;
  if (row.type === 'tick_tock') answer.is_tock = row.is_tock;
  if (row.type === 'split_install') answer.installed = row.installed;
  if (row.storage_status_change !== 'none') answer.storage_ph = storagePhase(row);
  if (row.has_credit) answer.credit_ph = creditPhase(row);
  if (row.compute_type === 'skipped') answer.compute_ph = { skipped: true, reason: row.compute_skip_reason };
  if (row.compute_type === 'vm') answer.compute_ph = computePhase(row);
  if (row.has_action) answer.action = actionPhase(row);
  if (row.bounce_type !== 'none') answer.bounce = bouncePhase(row);
  if (row.split_info) answer.split_info = splitInfo(row.workchain, row.split_info);
  return answer;
}

function storagePhase(row: TransactionRow): StoragePhaseAnswer {
  return {
    storage_fees_collected: row.storage_fees_collected,
    ...(row.storage_fees_due === null ? {} : { storage_fees_due: row.storage_fees_due }),
    status_change: row.storage_status_change,
  };
}

function creditPhase(row: TransactionRow): CreditPhaseAnswer {
  const due = row.credit_due_fees_collected;
  return {
    ...(due === null ? {} : { due_fees_collected: due }),
    credit: row.credit,
    ...(Object.keys(row.credit_extra).length === 0 ? {} : { credit_extra_currencies: row.credit_extra }),
  };
}

function computePhase(row: TransactionRow): ComputePhaseAnswer {
  return {
    skipped: false,
    success: row.compute_success,
    msg_state_used: row.compute_msg_state_used,
    account_activated: row.compute_account_activated,
    gas_fees: row.compute_gas_fees,
    gas_used: row.compute_gas_used,
    gas_limit: row.compute_gas_limit,
    ...(row.compute_gas_credit === null ? {} : { gas_credit: `${row.compute_gas_credit}` }),
    mode: row.compute_mode,
    exit_code: row.compute_exit_code,
    ...(row.compute_exit_arg === null ? {} : { exit_arg: row.compute_exit_arg }),
    vm_steps: row.compute_vm_steps,
    vm_init_state_hash: row.compute_vm_init_state_hash,
    vm_final_state_hash: row.compute_vm_final_state_hash,
  };
}

function actionPhase(row: TransactionRow): ActionPhaseAnswer {
  const { action_total_fwd_fees: forward, action_total_action_fees: fees } = row;
  return {
    success: row.action_success,
    valid: row.action_valid,
    no_funds: row.action_no_funds,
    status_change: row.action_status_change,
    ...(forward === null ? {} : { total_fwd_fees: forward }),
    ...(fees === null ? {} : { total_action_fees: fees }),
    result_code: row.action_result_code,
    ...(row.action_result_arg === null ? {} : { result_arg: row.action_result_arg }),
    tot_actions: row.action_tot_actions,
    spec_actions: row.action_spec_actions,
    skipped_actions: row.action_skipped_actions,
    msgs_created: row.action_msgs_created,
    action_list_hash: row.action_list_hash,
    tot_msg_size: { cells: row.action_tot_msg_cells, bits: row.action_tot_msg_bits },
  };
}

function bouncePhase(row: TransactionRow): BouncePhaseAnswer {
  const type = row.bounce_type;
  if (type === 'negfunds') return { type };
  const size = { cells: row.bounce_msg_cells, bits: row.bounce_msg_bits };
  if (type === 'nofunds') return { type, msg_size: size, req_fwd_fees: row.bounce_req_fwd_fees };
  return { type, msg_size: size, msg_fees: row.bounce_msg_fees, fwd_fees: row.bounce_fwd_fees };
}

/** The 66 bytes of SplitMergeInfo: prefix length, split depth, own and sibling account id (tables.ts). */
function splitInfo(workchain: number, bytes: Uint8Array): SplitInfoAnswer {
  return {
    cur_shard_pfx_len: bytes[0] ?? 0,
    acc_split_depth: bytes[1] ?? 0,
    this_addr: rawOf(workchain, bytes.subarray(2, 34)),
    sibling_addr: rawOf(workchain, bytes.subarray(34, 66)),
  };
}
