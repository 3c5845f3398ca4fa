import { ACCOUNT_STATUS, CURRENCIES, GRAMS, HASH, MC_SEQNO } from './base-types.ts';
import { column, columnTypes, defineTable, named, orNone, rising } from './table.ts';

const STATUS_CHANGE = "Enum8('none' = 0, 'unchanged' = 1, 'frozen' = 2, 'deleted' = 3)";

export const TRANSACTIONS = defineTable({
  name: 'transactions',
  version: 6,
  comment: 'One row per transaction. Rule: Transaction and TransactionDescr of block.tlb.',
  key: ['workchain', 'account', 'lt'],
  columns: {
    mc_seqno: rising('UInt32', MC_SEQNO),
    workchain: column('Int32', 'Workchain of the account and of the block.'),
    shard: column('UInt64', 'Shard prefix of the block with its end bit.'),
    seqno: rising('UInt32', 'Seqno of the block.'),
    account: column(HASH, 'Id of the account in its workchain.'),
    lt: rising('UInt64', 'Logical time of the transaction.'),
    hash: column(HASH, "Hash of the transaction's cell."),
    prev_trans_hash: orNone(
      column(HASH, 'Hash of the previous transaction of the account; zeros for the first one.'),
    ),
    prev_trans_lt: rising(
      'UInt64',
      'Logical time of the previous transaction of the account; 0 for the first one.',
    ),
    now: rising('UInt32', 'Time of the transaction, Unix seconds.'),
    orig_status: named(
      'AccountStatus',
      column(ACCOUNT_STATUS, 'Status of the account before the transaction.'),
    ),
    end_status: named(
      'AccountStatus',
      column(ACCOUNT_STATUS, 'Status of the account after the transaction.'),
    ),
    total_fees: column(GRAMS, 'All fees, nanotons.'),
    total_fees_extra: column(CURRENCIES, 'All fees in extra currencies, amount by id.'),
    state_hash_before: column(HASH, 'Hash of the Account cell before the transaction.'),
    state_hash_after: column(HASH, 'Hash of the Account cell after the transaction.'),
    type: named(
      'TransactionType',
      column(
        "Enum8('ord' = 0, 'storage' = 1, 'tick_tock' = 2, 'split_prepare' = 3, 'split_install' = 4, 'merge_prepare' = 5, 'merge_install' = 6)",
        'Constructor of TransactionDescr.',
      ),
    ),
    aborted: column('Bool', 'The compute or action phase did not succeed.'),
    destroyed: column('Bool', 'The account was deleted.'),
    credit_first: column('Bool', 'The credit phase came before the storage phase.'),
    is_tock: column('Bool', 'A tock transaction; false for a tick.'),
    installed: column('Bool', 'The split or merge was installed.'),
    storage_status_change: named(
      'StatusChange',
      column(STATUS_CHANGE, "Status change of the storage phase; 'none' if there was no such phase."),
    ),
    storage_fees_collected: column(GRAMS, 'Storage fees that were paid, nanotons.'),
    storage_fees_due: column(`Nullable(${GRAMS})`, 'Storage fees that remain due, nanotons; NULL if none.'),
    has_credit: column('Bool', 'The transaction has a credit phase.'),
    credit_due_fees_collected: column(
      `Nullable(${GRAMS})`,
      'Due fees that the credit phase collected, nanotons; NULL if none.',
    ),
    credit: column(GRAMS, 'Value that the credit phase credited, nanotons.'),
    credit_extra: column(CURRENCIES, 'Credited extra currencies, amount by id.'),
    compute_type: named(
      'ComputeType',
      column(
        "Enum8('none' = 0, 'skipped' = 1, 'vm' = 2)",
        "Form of the compute phase; 'none' if there was no such phase.",
      ),
    ),
    compute_skip_reason: named(
      'SkipReason',
      column(
        "Enum8('none' = 0, 'no_state' = 1, 'bad_state' = 2, 'no_gas' = 3, 'suspended' = 4)",
        "Why the compute phase was skipped; 'none' if it was not.",
      ),
    ),
    compute_success: column('Bool', 'The code accepted and ended with an exit code of success.'),
    compute_msg_state_used: column('Bool', 'The state init of the message was used.'),
    compute_account_activated: column('Bool', 'The phase activated the account.'),
    compute_gas_fees: column(GRAMS, 'Gas fees, nanotons.'),
    compute_gas_used: column('UInt64', 'Gas used, units.'),
    compute_gas_limit: column('UInt64', 'Gas limit, units.'),
    compute_gas_credit: column('Nullable(UInt32)', 'Gas credit, units; NULL if none.'),
    compute_mode: column('Int8', 'Mode of the TVM run.'),
    compute_exit_code: column('Int32', 'Exit code of the TVM.'),
    compute_exit_arg: column('Nullable(Int32)', 'Argument of the exit; NULL if none.'),
    compute_vm_steps: column('UInt32', 'Steps of the TVM.'),
    compute_vm_init_state_hash: orNone(column(HASH, 'Hash of the initial TVM state; zeros if not recorded.')),
    compute_vm_final_state_hash: orNone(column(HASH, 'Hash of the final TVM state; zeros if not recorded.')),
    has_action: column('Bool', 'The transaction has an action phase.'),
    action_success: column('Bool', 'All actions succeeded.'),
    action_valid: column('Bool', 'The action list is valid.'),
    action_no_funds: column('Bool', 'The balance did not suffice for an action.'),
    action_status_change: named(
      'StatusChange',
      column(STATUS_CHANGE, "Status change of the action phase; 'none' if there was no such phase."),
    ),
    action_total_fwd_fees: column(
      `Nullable(${GRAMS})`,
      'Forward fees of all messages, nanotons; NULL if none.',
    ),
    action_total_action_fees: column(
      `Nullable(${GRAMS})`,
      'Fees that the account pays for its actions, nanotons; NULL if none.',
    ),
    action_result_code: column('Int32', 'Result code; 0 for success.'),
    action_result_arg: column('Nullable(Int32)', 'Number of the action that failed; NULL if none.'),
    action_tot_actions: column('UInt16', 'Actions in the list.'),
    action_spec_actions: column('UInt16', 'Actions that send no message.'),
    action_skipped_actions: column('UInt16', 'Actions that were skipped.'),
    action_msgs_created: column('UInt16', 'Messages that were created.'),
    action_list_hash: orNone(column(HASH, 'Hash of the action list; zeros without an action phase.')),
    action_tot_msg_cells: column('UInt64', 'Cells of all created messages.'),
    action_tot_msg_bits: column('UInt64', 'Bits of all created messages.'),
    bounce_type: named(
      'BounceType',
      column(
        "Enum8('none' = 0, 'negfunds' = 1, 'nofunds' = 2, 'ok' = 3)",
        "Outcome of the bounce phase; 'none' if there was no such phase.",
      ),
    ),
    bounce_msg_cells: column('UInt64', 'Cells of the bounced message.'),
    bounce_msg_bits: column('UInt64', 'Bits of the bounced message.'),
    bounce_req_fwd_fees: column(GRAMS, "Forward fees that the bounce lacked ('nofunds'), nanotons."),
    bounce_msg_fees: column(GRAMS, "Fees of the bounced message ('ok'), nanotons."),
    bounce_fwd_fees: column(GRAMS, "Forward fees of the bounced message ('ok'), nanotons."),
    split_info: orNone(
      column(
        'String',
        'SplitMergeInfo as 66 bytes (cur_shard_pfx_len, acc_split_depth, this_addr, sibling_addr); empty if there is none.',
      ),
    ),
    out_msg_count: column('UInt16', 'Number of outgoing messages.'),
    messages: column('String', "The transaction's messages, packed (src/ton/columns/message-pack.ts)."),
    states: column(
      'String',
      "The account's states before and after, as the block shows them, packed (src/ton/columns/state-pack.ts).",
    ),
  },
});

export const TRANSACTION_TYPES = columnTypes(TRANSACTIONS);
export type TransactionColumn = keyof typeof TRANSACTION_TYPES;
