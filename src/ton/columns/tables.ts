/**
 * The columns that decoding yields: the single source for the decoder, the Native encoder, the check of the
 * migrations and the TypeScript types. Types are ClickHouse's own names, so that a column's bytes are the bytes
 * of the Native format.
 *
 * Amounts are nanotons; `*_lt` logical time; times are Unix seconds; hashes 32 bytes; a hash of 32 zero bytes
 * means "none". Every table carries `mc_seqno`, the masterchain block that committed the row's block.
 */

const HASH = 'FixedString(32)';
/** Grams are VarUInteger 16, up to 120 bits. */
const GRAMS = 'UInt128';
/** Extra currencies: id → amount (VarUInteger 32, up to 248 bits). */
const CURRENCIES = 'Map(UInt32, UInt256)';

const ACCOUNT_STATUS = "Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3)";
const STATUS_CHANGE = "Enum8('none' = 0, 'unchanged' = 1, 'frozen' = 2, 'deleted' = 3)";

/** One row a block: header, value flow (grams only) and counts. */
const blocks = {
  mc_seqno: 'UInt32',
  workchain: 'Int32',
  shard: 'UInt64',
  seqno: 'UInt32',
  root_hash: HASH,
  file_hash: HASH,
  global_id: 'Int32',
  version: 'UInt32',
  flags: 'UInt8',
  after_merge: 'Bool',
  before_split: 'Bool',
  after_split: 'Bool',
  want_merge: 'Bool',
  want_split: 'Bool',
  key_block: 'Bool',
  vert_seqno_incr: 'Bool',
  vert_seqno: 'UInt32',
  gen_utime: 'UInt32',
  start_lt: 'UInt64',
  end_lt: 'UInt64',
  validator_list_hash_short: 'UInt32',
  gen_catchain_seqno: 'UInt32',
  min_ref_mc_seqno: 'UInt32',
  prev_key_block_seqno: 'UInt32',
  /** 0 if the block has no gen_software (flags bit 0 unset). */
  gen_software_version: 'UInt32',
  gen_software_capabilities: 'UInt64',
  /** The masterchain block that a shard block refers to; zeros in masterchain blocks. */
  master_ref_seqno: 'UInt32',
  master_ref_end_lt: 'UInt64',
  master_ref_root_hash: HASH,
  master_ref_file_hash: HASH,
  prev_seqno: 'UInt32',
  prev_end_lt: 'UInt64',
  prev_root_hash: HASH,
  prev_file_hash: HASH,
  /** Second previous block: only after a merge (after_merge), else zeros. */
  prev2_seqno: 'UInt32',
  prev2_end_lt: 'UInt64',
  prev2_root_hash: HASH,
  prev2_file_hash: HASH,
  state_hash_before: HASH,
  state_hash_after: HASH,
  value_flow_tag: 'UInt32',
  from_prev_blk: GRAMS,
  to_next_blk: GRAMS,
  imported: GRAMS,
  exported: GRAMS,
  fees_collected: GRAMS,
  burned: GRAMS,
  fees_imported: GRAMS,
  recovered: GRAMS,
  created: GRAMS,
  minted: GRAMS,
  rand_seed: HASH,
  created_by: HASH,
  in_msg_descr_count: 'UInt32',
  out_msg_descr_count: 'UInt32',
  account_blocks: 'UInt32',
  tx_count: 'UInt32',
  boc_bytes: 'UInt32',
} as const;

/** The top blocks of all shards as a masterchain block states them (ShardDescr). */
const shards = {
  mc_seqno: 'UInt32',
  workchain: 'Int32',
  shard: 'UInt64',
  seqno: 'UInt32',
  reg_mc_seqno: 'UInt32',
  start_lt: 'UInt64',
  end_lt: 'UInt64',
  root_hash: HASH,
  file_hash: HASH,
  gen_utime: 'UInt32',
} as const;

/** Configuration parameters of key blocks, one row a parameter. */
const config_params = {
  mc_seqno: 'UInt32',
  param: 'Int32',
  hash: HASH,
  boc: 'String',
} as const;

/** One row a transaction. `workchain` is the account's and the block's. */
const transactions = {
  mc_seqno: 'UInt32',
  workchain: 'Int32',
  shard: 'UInt64',
  seqno: 'UInt32',
  account: HASH,
  lt: 'UInt64',
  hash: HASH,
  prev_trans_hash: HASH,
  prev_trans_lt: 'UInt64',
  now: 'UInt32',
  orig_status: ACCOUNT_STATUS,
  end_status: ACCOUNT_STATUS,
  total_fees: GRAMS,
  total_fees_extra: CURRENCIES,
  state_hash_before: HASH,
  state_hash_after: HASH,
  type: "Enum8('ord' = 0, 'storage' = 1, 'tick_tock' = 2, 'split_prepare' = 3, 'split_install' = 4, 'merge_prepare' = 5, 'merge_install' = 6)",
  aborted: 'Bool',
  destroyed: 'Bool',
  credit_first: 'Bool',
  is_tock: 'Bool',
  installed: 'Bool',
  /** 'none': no storage phase. */
  storage_status_change: STATUS_CHANGE,
  storage_fees_collected: GRAMS,
  storage_fees_due: `Nullable(${GRAMS})`,
  has_credit: 'Bool',
  credit_due_fees_collected: `Nullable(${GRAMS})`,
  credit: GRAMS,
  credit_extra: CURRENCIES,
  compute_type: "Enum8('none' = 0, 'skipped' = 1, 'vm' = 2)",
  compute_skip_reason: "Enum8('none' = 0, 'no_state' = 1, 'bad_state' = 2, 'no_gas' = 3, 'suspended' = 4)",
  compute_success: 'Bool',
  compute_msg_state_used: 'Bool',
  compute_account_activated: 'Bool',
  compute_gas_fees: GRAMS,
  compute_gas_used: 'UInt64',
  compute_gas_limit: 'UInt64',
  compute_gas_credit: 'Nullable(UInt32)',
  compute_mode: 'Int8',
  compute_exit_code: 'Int32',
  compute_exit_arg: 'Nullable(Int32)',
  compute_vm_steps: 'UInt32',
  compute_vm_init_state_hash: HASH,
  compute_vm_final_state_hash: HASH,
  has_action: 'Bool',
  action_success: 'Bool',
  action_valid: 'Bool',
  action_no_funds: 'Bool',
  action_status_change: STATUS_CHANGE,
  action_total_fwd_fees: `Nullable(${GRAMS})`,
  action_total_action_fees: `Nullable(${GRAMS})`,
  action_result_code: 'Int32',
  action_result_arg: 'Nullable(Int32)',
  action_tot_actions: 'UInt16',
  action_spec_actions: 'UInt16',
  action_skipped_actions: 'UInt16',
  action_msgs_created: 'UInt16',
  action_list_hash: HASH,
  action_tot_msg_cells: 'UInt64',
  action_tot_msg_bits: 'UInt64',
  bounce_type: "Enum8('none' = 0, 'negfunds' = 1, 'nofunds' = 2, 'ok' = 3)",
  bounce_msg_cells: 'UInt64',
  bounce_msg_bits: 'UInt64',
  bounce_req_fwd_fees: GRAMS,
  bounce_msg_fees: GRAMS,
  bounce_fwd_fees: GRAMS,
  /** SplitMergeInfo as 66 bytes (cur_shard_pfx_len, acc_split_depth, this_addr, sibling_addr), or empty. */
  split_info: 'String',
  out_msg_count: 'UInt16',
  /** The transaction's messages, packed (src/ton/columns/message-pack.ts): an answer's page is one read. */
  messages: 'String',
  /** The account's states before and after, as the block shows them, packed (src/ton/columns/state-pack.ts). */
  states: 'String',
} as const;

const ADDRESS_KIND = "Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3)";

/** One row a message and side: `out` written by the sending transaction, `in` by the receiving one. */
const messages = {
  mc_seqno: 'UInt32',
  side: "Enum8('out' = 0, 'in' = 1)",
  kind: "Enum8('internal' = 0, 'ext_in' = 1, 'ext_out' = 2)",
  hash: HASH,
  /** TEP-467 hash of an external-in message; equals `hash` for the other kinds. */
  hash_norm: HASH,
  /** 0 for external-in messages, which have none. */
  created_lt: 'UInt64',
  created_at: 'UInt32',
  source_kind: ADDRESS_KIND,
  source_workchain: 'Int32',
  source: HASH,
  destination_kind: ADDRESS_KIND,
  destination_workchain: 'Int32',
  destination: HASH,
  value: GRAMS,
  value_extra: CURRENCIES,
  fwd_fee: GRAMS,
  ihr_fee: GRAMS,
  import_fee: GRAMS,
  /** NULL before global version 12, where its place holds ihr_fee. */
  extra_flags: `Nullable(${GRAMS})`,
  ihr_disabled: 'Bool',
  bounce: 'Bool',
  bounced: 'Bool',
  /** First 32 bits of the body; NULL if the body is shorter. */
  opcode: 'Nullable(UInt32)',
  body_hash: HASH,
  /** The body as a cell of its own: BoC with checksum, no index. */
  body: 'String',
  /** Zeros and empty if the message has no state init. */
  init_hash: HASH,
  init: 'String',
  tx_workchain: 'Int32',
  tx_account: HASH,
  tx_lt: 'UInt64',
  tx_hash: HASH,
  /**
   * True if the indexes of messages list this row, so that each message is listed once. The sender's row is listed; the
   * receiver's row is listed if no transaction of the index sent the message.
   */
  listed: 'Bool',
} as const;

/** One row an account and block: its state after its last transaction in the block. */
const account_states = {
  mc_seqno: 'UInt32',
  workchain: 'Int32',
  account: HASH,
  /** lt of the last transaction before this state (ShardAccount.last_trans_lt). */
  lt: 'UInt64',
  last_trans_hash: HASH,
  /** Level-0 hash of the Account cell. */
  hash: HASH,
  status: ACCOUNT_STATUS,
  balance: GRAMS,
  extra: CURRENCIES,
  code_hash: HASH,
  data_hash: HASH,
  frozen_hash: HASH,
  last_paid: 'UInt32',
  due_payment: `Nullable(${GRAMS})`,
  storage_cells: 'UInt64',
  storage_bits: 'UInt64',
  /**
   * The state that this one replaces, from the old side of the state update. If the old side omits it (has_prev false)
   * although it existed, prev_lt is above 0. prev_balance then follows from the block's transactions: new balance +
   * fees + sent - received.
   */
  has_prev: 'Bool',
  prev_lt: 'UInt64',
  prev_balance: GRAMS,
  /** `block`: after a transaction. `before`: the old side, at the start of the index. `state`: from a given state. */
  origin: "Enum8('block' = 0, 'before' = 1, 'state' = 2)",
} as const;

/** The Account cell of the block, with pruned branches for omitted cells. */
const account_cells = {
  mc_seqno: 'UInt32',
  workchain: 'Int32',
  account: HASH,
  lt: 'UInt64',
  hash: HASH,
  /** No pruned branch anywhere below. */
  whole: 'Bool',
  boc: 'String',
} as const;

/** The block's own bytes. */
const raw_blocks = {
  mc_seqno: 'UInt32',
  workchain: 'Int32',
  shard: 'UInt64',
  seqno: 'UInt32',
  root_hash: HASH,
  file_hash: HASH,
  boc: 'String',
} as const;

/** Every landing table of the `base` projection, by name. */
export const BASE_TABLES = {
  blocks,
  shards,
  config_params,
  transactions,
  messages,
  account_states,
  account_cells,
  raw_blocks,
} as const;

export type BaseTable = keyof typeof BASE_TABLES;
