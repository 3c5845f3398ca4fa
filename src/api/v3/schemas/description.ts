import { type Static, Type } from 'typebox';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import { toRawAddress } from '../../query/account-id.ts';
import { Address, Amount, ExtraCurrencies, Hash } from './common.ts';

/*
 * Description of a transaction (v3-models.md, section 5): each phase's schema with the answer made from a row's columns,
 * so that a column is named in one file of the API.
 */

const optionalAmount = Type.Optional(Amount);
const Size = Type.Object({ cells: Type.String(), bits: Type.String() });
const StatusChange = Type.String({ enum: ['unchanged', 'frozen', 'deleted'] });

const StoragePhase = Type.Object({
  storage_fees_collected: optionalAmount,
  storage_fees_due: optionalAmount,
  status_change: Type.Optional(StatusChange),
});

function storagePhase(row: TransactionRow): Static<typeof StoragePhase> {
  return {
    storage_fees_collected: row.storage_fees_collected,
    ...(row.storage_fees_due === null ? {} : { storage_fees_due: row.storage_fees_due }),
    status_change: row.storage_status_change,
  };
}

const CreditPhase = Type.Object({
  due_fees_collected: optionalAmount,
  credit: optionalAmount,
  credit_extra_currencies: Type.Optional(ExtraCurrencies),
});

function creditPhase(row: TransactionRow): Static<typeof CreditPhase> {
  const due = row.credit_due_fees_collected;
  return {
    ...(due === null ? {} : { due_fees_collected: due }),
    credit: row.credit,
    ...(Object.keys(row.credit_extra).length === 0 ? {} : { credit_extra_currencies: row.credit_extra }),
  };
}

const ComputePhase = Type.Object({
  skipped: Type.Boolean(),
  reason: Type.Optional(Type.String({ enum: ['no_state', 'bad_state', 'no_gas', 'suspended'] })),
  success: Type.Optional(Type.Boolean()),
  msg_state_used: Type.Optional(Type.Boolean()),
  account_activated: Type.Optional(Type.Boolean()),
  gas_fees: optionalAmount,
  gas_used: Type.Optional(Type.String()),
  gas_limit: Type.Optional(Type.String()),
  gas_credit: Type.Optional(Type.String()),
  mode: Type.Optional(Type.Integer()),
  exit_code: Type.Optional(Type.Integer()),
  exit_arg: Type.Optional(Type.Integer()),
  vm_steps: Type.Optional(Type.Integer()),
  vm_init_state_hash: Type.Optional(Hash),
  vm_final_state_hash: Type.Optional(Hash),
});

function computePhase(row: TransactionRow): Static<typeof ComputePhase> {
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

const ActionPhase = Type.Object({
  success: Type.Boolean(),
  valid: Type.Boolean(),
  no_funds: Type.Boolean(),
  status_change: StatusChange,
  total_fwd_fees: optionalAmount,
  total_action_fees: optionalAmount,
  result_code: Type.Integer(),
  result_arg: Type.Optional(Type.Integer()),
  tot_actions: Type.Integer(),
  spec_actions: Type.Integer(),
  skipped_actions: Type.Integer(),
  msgs_created: Type.Integer(),
  action_list_hash: Hash,
  tot_msg_size: Size,
});

function actionPhase(row: TransactionRow): Static<typeof ActionPhase> {
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

const BouncePhase = Type.Object({
  type: Type.String({ enum: ['negfunds', 'nofunds', 'ok'] }),
  msg_size: Type.Optional(Size),
  req_fwd_fees: optionalAmount,
  msg_fees: optionalAmount,
  fwd_fees: optionalAmount,
});

function bouncePhase(row: TransactionRow): Static<typeof BouncePhase> {
  const type = row.bounce_type;
  if (type === 'negfunds') return { type };
  const size = { cells: row.bounce_msg_cells, bits: row.bounce_msg_bits };
  if (type === 'nofunds') return { type, msg_size: size, req_fwd_fees: row.bounce_req_fwd_fees };
  return { type, msg_size: size, msg_fees: row.bounce_msg_fees, fwd_fees: row.bounce_fwd_fees };
}

const SplitInfo = Type.Object({
  cur_shard_pfx_len: Type.Optional(Type.Integer()),
  acc_split_depth: Type.Optional(Type.Integer()),
  this_addr: Type.Optional(Address),
  sibling_addr: Type.Optional(Address),
});

/** The 66 bytes of SplitMergeInfo: prefix length, split depth, own and sibling account id. */
function splitInfo(workchain: number, bytes: Uint8Array): Static<typeof SplitInfo> {
  return {
    cur_shard_pfx_len: bytes[0] ?? 0,
    acc_split_depth: bytes[1] ?? 0,
    this_addr: toRawAddress(workchain, bytes.subarray(2, 34)),
    sibling_addr: toRawAddress(workchain, bytes.subarray(34, 66)),
  };
}

export const DescriptionSchema = Type.Object({
  type: Type.String(),
  aborted: Type.Optional(Type.Boolean()),
  destroyed: Type.Optional(Type.Boolean()),
  credit_first: Type.Optional(Type.Boolean()),
  is_tock: Type.Optional(Type.Boolean()),
  installed: Type.Optional(Type.Boolean()),
  storage_ph: Type.Optional(StoragePhase),
  credit_ph: Type.Optional(CreditPhase),
  compute_ph: Type.Optional(ComputePhase),
  action: Type.Optional(ActionPhase),
  bounce: Type.Optional(BouncePhase),
  split_info: Type.Optional(SplitInfo),
});

export type DescriptionAnswer = Static<typeof DescriptionSchema>;

const ABORTABLE = new Set(['ord', 'tick_tock', 'split_prepare', 'merge_prepare', 'merge_install']);
const DESTROYING = new Set(['ord', 'tick_tock', 'split_prepare', 'merge_install']);

/** Description from a row: phases that did not happen are left out. */
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
