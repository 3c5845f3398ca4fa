import { type Static, Type } from 'typebox';
import { Address, Amount, ExtraCurrencies, Hash } from './common.ts';

const optionalAmount = Type.Optional(Amount);
const Size = Type.Object({ cells: Type.String(), bits: Type.String() });
const StatusChange = Type.String({ enum: ['unchanged', 'frozen', 'deleted'] });

const StoragePhase = Type.Object({
  storage_fees_collected: optionalAmount,
  storage_fees_due: optionalAmount,
  status_change: Type.Optional(StatusChange),
});

const CreditPhase = Type.Object({
  due_fees_collected: optionalAmount,
  credit: optionalAmount,
  credit_extra_currencies: Type.Optional(ExtraCurrencies),
});

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

const BouncePhase = Type.Object({
  type: Type.String({ enum: ['negfunds', 'nofunds', 'ok'] }),
  msg_size: Type.Optional(Size),
  req_fwd_fees: optionalAmount,
  msg_fees: optionalAmount,
  fwd_fees: optionalAmount,
});

const SplitInfo = Type.Object({
  cur_shard_pfx_len: Type.Optional(Type.Integer()),
  acc_split_depth: Type.Optional(Type.Integer()),
  this_addr: Type.Optional(Address),
  sibling_addr: Type.Optional(Address),
});

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
export type StoragePhaseAnswer = Static<typeof StoragePhase>;
export type CreditPhaseAnswer = Static<typeof CreditPhase>;
export type ComputePhaseAnswer = Static<typeof ComputePhase>;
export type ActionPhaseAnswer = Static<typeof ActionPhase>;
export type BouncePhaseAnswer = Static<typeof BouncePhase>;
export type SplitInfoAnswer = Static<typeof SplitInfo>;
