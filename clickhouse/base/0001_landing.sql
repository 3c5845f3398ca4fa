-- Landing tables: what the decoder inserts, one Native batch each. They keep nothing (engine Null); the views of
-- the following files fan every batch out. Columns are those of src/ton/columns/tables.ts (checked by a test).

CREATE TABLE IF NOT EXISTS {db}.land_blocks{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.',
    workchain Int32 COMMENT 'Workchain of the block; -1 is the masterchain.',
    shard UInt64 COMMENT 'Shard prefix with its end bit.',
    seqno UInt32 COMMENT 'Seqno in the shard.',
    root_hash FixedString(32) COMMENT 'Hash of the block\'s root cell.',
    file_hash FixedString(32) COMMENT 'SHA-256 of the block\'s bytes.',
    global_id Int32 COMMENT 'Network number; -239 is mainnet, private networks reuse it.',
    version UInt32 COMMENT 'Version of the block format.',
    flags UInt8 COMMENT 'Flags of BlockInfo; bit 0 announces gen_software.',
    after_merge Bool COMMENT 'The block has two previous blocks.',
    before_split Bool COMMENT 'The next blocks are two halves of the shard.',
    after_split Bool COMMENT 'The block is the first one of a half.',
    want_merge Bool COMMENT 'The validators want to merge the shard with its sibling.',
    want_split Bool COMMENT 'The validators want to split the shard.',
    key_block Bool COMMENT 'The block has the configuration; masterchain only.',
    vert_seqno_incr Bool COMMENT 'The block starts a hard fork.',
    vert_seqno UInt32 COMMENT 'Number of hard forks up to the block.',
    gen_utime UInt32 COMMENT 'Time of the block, Unix seconds.',
    start_lt UInt64 COMMENT 'Logical time at which the block starts.',
    end_lt UInt64 COMMENT 'Logical time at which the block ends.',
    validator_list_hash_short UInt32 COMMENT 'First 32 bits of the hash of the validator list.',
    gen_catchain_seqno UInt32 COMMENT 'Seqno of the catchain session of the validators.',
    min_ref_mc_seqno UInt32 COMMENT 'Lowest seqno of a masterchain block that the state refers to.',
    prev_key_block_seqno UInt32 COMMENT 'Seqno of the key block before.',
    gen_software_version UInt32 COMMENT 'Version of the collator\'s software; 0 if flags bit 0 is unset.',
    gen_software_capabilities UInt64 COMMENT 'Capabilities of the collator\'s software, bits; 0 if flags bit 0 is unset.',
    master_ref_seqno UInt32 COMMENT 'Seqno of the masterchain block that a shard block refers to; 0 in masterchain blocks.',
    master_ref_end_lt UInt64 COMMENT 'End of that masterchain block, logical time; 0 in masterchain blocks.',
    master_ref_root_hash FixedString(32) COMMENT 'Root hash of that masterchain block; zeros in masterchain blocks.',
    master_ref_file_hash FixedString(32) COMMENT 'File hash of that masterchain block; zeros in masterchain blocks.',
    prev_seqno UInt32 COMMENT 'Seqno of the previous block.',
    prev_end_lt UInt64 COMMENT 'End of the previous block, logical time.',
    prev_root_hash FixedString(32) COMMENT 'Root hash of the previous block.',
    prev_file_hash FixedString(32) COMMENT 'File hash of the previous block.',
    prev2_seqno UInt32 COMMENT 'Seqno of the second previous block; 0 without after_merge.',
    prev2_end_lt UInt64 COMMENT 'End of the second previous block, logical time; 0 without after_merge.',
    prev2_root_hash FixedString(32) COMMENT 'Root hash of the second previous block; zeros without after_merge.',
    prev2_file_hash FixedString(32) COMMENT 'File hash of the second previous block; zeros without after_merge.',
    state_hash_before FixedString(32) COMMENT 'Hash of the shard state before the block.',
    state_hash_after FixedString(32) COMMENT 'Hash of the shard state after the block.',
    value_flow_tag UInt32 COMMENT 'Constructor tag of the value flow.',
    from_prev_blk UInt128 COMMENT 'Balance of the shard before the block, nanotons.',
    to_next_blk UInt128 COMMENT 'Balance of the shard after the block, nanotons.',
    imported UInt128 COMMENT 'Value of imported messages, nanotons.',
    exported UInt128 COMMENT 'Value of exported messages, nanotons.',
    fees_collected UInt128 COMMENT 'Fees that the block collected, nanotons.',
    burned UInt128 COMMENT 'Burned fees, nanotons; 0 if the value flow has none.',
    fees_imported UInt128 COMMENT 'Fees imported from shard blocks, nanotons.',
    recovered UInt128 COMMENT 'Recovered value, nanotons.',
    created UInt128 COMMENT 'Created value, nanotons.',
    minted UInt128 COMMENT 'Minted value, nanotons.',
    rand_seed FixedString(32) COMMENT 'Random seed of the block.',
    created_by FixedString(32) COMMENT 'Public key of the validator that created the block.',
    in_msg_descr_count UInt32 COMMENT 'Entries of InMsgDescr.',
    out_msg_descr_count UInt32 COMMENT 'Entries of OutMsgDescr.',
    account_blocks UInt32 COMMENT 'Accounts with transactions in the block.',
    tx_count UInt32 COMMENT 'Transactions in the block.',
    boc_bytes UInt32 COMMENT 'Size of the block, bytes.'
)
ENGINE = Null
COMMENT 'One row per block: header, value flow (grams only) and counts. Rule: Block, BlockInfo, ValueFlow of block.tlb.';

CREATE TABLE IF NOT EXISTS {db}.land_shards{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that names the shard.',
    workchain Int32 COMMENT 'Workchain of the shard.',
    shard UInt64 COMMENT 'Shard prefix with its end bit.',
    seqno UInt32 COMMENT 'Seqno of the top block.',
    reg_mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that registered the top block.',
    start_lt UInt64 COMMENT 'Logical time at which the top block starts.',
    end_lt UInt64 COMMENT 'Logical time at which the top block ends.',
    root_hash FixedString(32) COMMENT 'Root hash of the top block.',
    file_hash FixedString(32) COMMENT 'File hash of the top block.',
    gen_utime UInt32 COMMENT 'Time of the top block, Unix seconds.'
)
ENGINE = Null
COMMENT 'The top blocks of all shards as a masterchain block names them. Rule: ShardDescr of block.tlb.';

CREATE TABLE IF NOT EXISTS {db}.land_config_params{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the key block.',
    param Int32 COMMENT 'Number of the parameter.',
    hash FixedString(32) COMMENT 'Hash of the parameter\'s cell.',
    boc String COMMENT 'The parameter\'s cell as a bag of cells.'
)
ENGINE = Null
COMMENT 'Configuration parameters of key blocks, one row per parameter. Rule: ConfigParams of block.tlb.';

CREATE TABLE IF NOT EXISTS {db}.land_transactions{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.',
    workchain Int32 COMMENT 'Workchain of the account and of the block.',
    shard UInt64 COMMENT 'Shard prefix of the block with its end bit.',
    seqno UInt32 COMMENT 'Seqno of the block.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    lt UInt64 COMMENT 'Logical time of the transaction.',
    hash FixedString(32) COMMENT 'Hash of the transaction\'s cell.',
    prev_trans_hash FixedString(32) COMMENT 'Hash of the previous transaction of the account; zeros for the first one.',
    prev_trans_lt UInt64 COMMENT 'Logical time of the previous transaction of the account; 0 for the first one.',
    now UInt32 COMMENT 'Time of the transaction, Unix seconds.',
    orig_status Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3) COMMENT 'Status of the account before the transaction.',
    end_status Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3) COMMENT 'Status of the account after the transaction.',
    total_fees UInt128 COMMENT 'All fees, nanotons.',
    total_fees_extra Map(UInt32, UInt256) COMMENT 'All fees in extra currencies, amount by id.',
    state_hash_before FixedString(32) COMMENT 'Hash of the Account cell before the transaction.',
    state_hash_after FixedString(32) COMMENT 'Hash of the Account cell after the transaction.',
    type Enum8('ord' = 0, 'storage' = 1, 'tick_tock' = 2, 'split_prepare' = 3, 'split_install' = 4, 'merge_prepare' = 5, 'merge_install' = 6) COMMENT 'Constructor of TransactionDescr.',
    aborted Bool COMMENT 'The compute or action phase did not succeed.',
    destroyed Bool COMMENT 'The account was deleted.',
    credit_first Bool COMMENT 'The credit phase came before the storage phase.',
    is_tock Bool COMMENT 'A tock transaction; false for a tick.',
    installed Bool COMMENT 'The split or merge was installed.',
    storage_status_change Enum8('none' = 0, 'unchanged' = 1, 'frozen' = 2, 'deleted' = 3) COMMENT 'Status change of the storage phase; \'none\' if there was no such phase.',
    storage_fees_collected UInt128 COMMENT 'Storage fees that were paid, nanotons.',
    storage_fees_due Nullable(UInt128) COMMENT 'Storage fees that remain due, nanotons; NULL if none.',
    has_credit Bool COMMENT 'The transaction has a credit phase.',
    credit_due_fees_collected Nullable(UInt128) COMMENT 'Due fees that the credit phase collected, nanotons; NULL if none.',
    credit UInt128 COMMENT 'Value that the credit phase credited, nanotons.',
    credit_extra Map(UInt32, UInt256) COMMENT 'Credited extra currencies, amount by id.',
    compute_type Enum8('none' = 0, 'skipped' = 1, 'vm' = 2) COMMENT 'Form of the compute phase; \'none\' if there was no such phase.',
    compute_skip_reason Enum8('none' = 0, 'no_state' = 1, 'bad_state' = 2, 'no_gas' = 3, 'suspended' = 4) COMMENT 'Why the compute phase was skipped; \'none\' if it was not.',
    compute_success Bool COMMENT 'The code accepted and ended with an exit code of success.',
    compute_msg_state_used Bool COMMENT 'The state init of the message was used.',
    compute_account_activated Bool COMMENT 'The phase activated the account.',
    compute_gas_fees UInt128 COMMENT 'Gas fees, nanotons.',
    compute_gas_used UInt64 COMMENT 'Gas used, units.',
    compute_gas_limit UInt64 COMMENT 'Gas limit, units.',
    compute_gas_credit Nullable(UInt32) COMMENT 'Gas credit, units; NULL if none.',
    compute_mode Int8 COMMENT 'Mode of the TVM run.',
    compute_exit_code Int32 COMMENT 'Exit code of the TVM.',
    compute_exit_arg Nullable(Int32) COMMENT 'Argument of the exit; NULL if none.',
    compute_vm_steps UInt32 COMMENT 'Steps of the TVM.',
    compute_vm_init_state_hash FixedString(32) COMMENT 'Hash of the initial TVM state; zeros if not recorded.',
    compute_vm_final_state_hash FixedString(32) COMMENT 'Hash of the final TVM state; zeros if not recorded.',
    has_action Bool COMMENT 'The transaction has an action phase.',
    action_success Bool COMMENT 'All actions succeeded.',
    action_valid Bool COMMENT 'The action list is valid.',
    action_no_funds Bool COMMENT 'The balance did not suffice for an action.',
    action_status_change Enum8('none' = 0, 'unchanged' = 1, 'frozen' = 2, 'deleted' = 3) COMMENT 'Status change of the action phase; \'none\' if there was no such phase.',
    action_total_fwd_fees Nullable(UInt128) COMMENT 'Forward fees of all messages, nanotons; NULL if none.',
    action_total_action_fees Nullable(UInt128) COMMENT 'Fees that the account pays for its actions, nanotons; NULL if none.',
    action_result_code Int32 COMMENT 'Result code; 0 for success.',
    action_result_arg Nullable(Int32) COMMENT 'Number of the action that failed; NULL if none.',
    action_tot_actions UInt16 COMMENT 'Actions in the list.',
    action_spec_actions UInt16 COMMENT 'Actions that send no message.',
    action_skipped_actions UInt16 COMMENT 'Actions that were skipped.',
    action_msgs_created UInt16 COMMENT 'Messages that were created.',
    action_list_hash FixedString(32) COMMENT 'Hash of the action list; zeros without an action phase.',
    action_tot_msg_cells UInt64 COMMENT 'Cells of all created messages.',
    action_tot_msg_bits UInt64 COMMENT 'Bits of all created messages.',
    bounce_type Enum8('none' = 0, 'negfunds' = 1, 'nofunds' = 2, 'ok' = 3) COMMENT 'Outcome of the bounce phase; \'none\' if there was no such phase.',
    bounce_msg_cells UInt64 COMMENT 'Cells of the bounced message.',
    bounce_msg_bits UInt64 COMMENT 'Bits of the bounced message.',
    bounce_req_fwd_fees UInt128 COMMENT 'Forward fees that the bounce lacked (\'nofunds\'), nanotons.',
    bounce_msg_fees UInt128 COMMENT 'Fees of the bounced message (\'ok\'), nanotons.',
    bounce_fwd_fees UInt128 COMMENT 'Forward fees of the bounced message (\'ok\'), nanotons.',
    split_info String COMMENT 'SplitMergeInfo as 66 bytes (cur_shard_pfx_len, acc_split_depth, this_addr, sibling_addr); empty if there is none.',
    out_msg_count UInt16 COMMENT 'Number of outgoing messages.',
    messages String COMMENT 'The transaction\'s messages, packed (src/ton/columns/message-pack.ts).',
    states String COMMENT 'The account\'s states before and after, as the block shows them, packed (src/ton/columns/state-pack.ts).'
)
ENGINE = Null
COMMENT 'One row per transaction. Rule: Transaction and TransactionDescr of block.tlb.';

CREATE TABLE IF NOT EXISTS {db}.land_messages{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.',
    side Enum8('out' = 0, 'in' = 1) COMMENT '\'out\': the sender\'s row. \'in\': the receiver\'s row.',
    kind Enum8('internal' = 0, 'ext_in' = 1, 'ext_out' = 2) COMMENT 'Constructor of CommonMsgInfo.',
    hash FixedString(32) COMMENT 'Hash of the message\'s cell.',
    hash_norm FixedString(32) COMMENT 'Normalised hash (TEP-467) of an external-in message; equals hash for the other kinds.',
    created_lt UInt64 COMMENT 'Logical time of creation; 0 for external-in messages, which have none.',
    created_at UInt32 COMMENT 'Time of creation, Unix seconds; 0 for external-in messages.',
    source_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3) COMMENT 'Form of the source address.',
    source_workchain Int32 COMMENT 'Workchain of the source; 0 unless it is an account.',
    source FixedString(32) COMMENT 'Account id of the source; zeros unless it is an account.',
    destination_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3) COMMENT 'Form of the destination address.',
    destination_workchain Int32 COMMENT 'Workchain of the destination; 0 unless it is an account.',
    destination FixedString(32) COMMENT 'Account id of the destination; zeros unless it is an account.',
    value UInt128 COMMENT 'Value, nanotons.',
    value_extra Map(UInt32, UInt256) COMMENT 'Value in extra currencies, amount by id.',
    fwd_fee UInt128 COMMENT 'Forward fee, nanotons.',
    ihr_fee UInt128 COMMENT 'Fee of instant hypercube routing, nanotons.',
    import_fee UInt128 COMMENT 'Import fee of an external-in message, nanotons.',
    extra_flags Nullable(UInt128) COMMENT 'Extra flags. NULL before global version 12, when their place holds ihr_fee.',
    ihr_disabled Bool COMMENT 'Instant hypercube routing is disabled.',
    bounce Bool COMMENT 'The message bounces if its transaction fails.',
    bounced Bool COMMENT 'The message is a bounced one.',
    opcode Nullable(UInt32) COMMENT 'First 32 bits of the body; NULL if the body is shorter.',
    body_hash FixedString(32) COMMENT 'Hash of the body\'s cell.',
    body String COMMENT 'The body as a cell of its own: a bag of cells with checksum, without index.',
    init_hash FixedString(32) COMMENT 'Hash of the state init; zeros if there is none.',
    init String COMMENT 'The state init as a bag of cells; empty if there is none.',
    tx_workchain Int32 COMMENT 'Workchain of the transaction at this side.',
    tx_account FixedString(32) COMMENT 'Account id of the transaction at this side.',
    tx_lt UInt64 COMMENT 'Logical time of the transaction at this side.',
    tx_hash FixedString(32) COMMENT 'Hash of the transaction at this side.',
    tx_now UInt32 COMMENT 'Time of the transaction at this side, Unix seconds.',
    listed Bool COMMENT 'The indexes of messages contain this row: the sender\'s row, or the receiver\'s if no indexed transaction sent the message.'
)
ENGINE = Null
COMMENT 'One row per message and side: \'out\' is written by the sending transaction, \'in\' by the receiving one. Rule: Message and CommonMsgInfo of block.tlb.';

CREATE TABLE IF NOT EXISTS {db}.land_account_states{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    lt UInt64 COMMENT 'Logical time of the last transaction before this state (ShardAccount.last_trans_lt).',
    now UInt32 COMMENT 'Time of that transaction, Unix seconds; 0 if the block does not contain it.',
    last_trans_hash FixedString(32) COMMENT 'Hash of that transaction.',
    hash FixedString(32) COMMENT 'Level-0 hash of the Account cell.',
    status Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3) COMMENT 'Status of the account.',
    balance UInt128 COMMENT 'Balance, nanotons.',
    extra Map(UInt32, UInt256) COMMENT 'Balance in extra currencies, amount by id.',
    code_hash FixedString(32) COMMENT 'Hash of the code; zeros if it has none.',
    data_hash FixedString(32) COMMENT 'Hash of the data; zeros if it has none.',
    frozen_hash FixedString(32) COMMENT 'Hash of the frozen state; zeros if it is not frozen.',
    last_paid UInt32 COMMENT 'Time of the last storage payment, Unix seconds.',
    due_payment Nullable(UInt128) COMMENT 'Storage fee that the account owes, nanotons; NULL if none.',
    storage_cells UInt64 COMMENT 'Cells that the account is charged for.',
    storage_bits UInt64 COMMENT 'Bits that the account is charged for.',
    has_prev Bool COMMENT 'The old side of the state update shows the state that this one replaces.',
    prev_lt UInt64 COMMENT 'Logical time of the last transaction before the replaced state. Above 0 if that state existed, even without has_prev.',
    prev_balance UInt128 COMMENT 'Balance of the replaced state, nanotons. Without has_prev it follows from the block\'s transactions: new balance + fees + sent - received.',
    origin Enum8('block' = 0, 'before' = 1, 'state' = 2) COMMENT '\'block\': after a transaction. \'before\': the old side of an update, at the start of the index. \'state\': from a given state.'
)
ENGINE = Null
COMMENT 'One row per account and block: its state after its last transaction in the block. Rule: Account and ShardAccount of block.tlb.';

CREATE TABLE IF NOT EXISTS {db}.land_account_cells{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    lt UInt64 COMMENT 'Logical time of the last transaction before this state.',
    hash FixedString(32) COMMENT 'Level-0 hash of the Account cell.',
    whole Bool COMMENT 'No pruned branch is below the cell.',
    boc String COMMENT 'The cell as a bag of cells.'
)
ENGINE = Null
COMMENT 'The Account cells of a block, with pruned branches for omitted cells.';

CREATE TABLE IF NOT EXISTS {db}.land_raw_blocks{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.',
    workchain Int32 COMMENT 'Workchain of the block; -1 is the masterchain.',
    shard UInt64 COMMENT 'Shard prefix with its end bit.',
    seqno UInt32 COMMENT 'Seqno in the shard.',
    root_hash FixedString(32) COMMENT 'Hash of the block\'s root cell.',
    file_hash FixedString(32) COMMENT 'SHA-256 of the block\'s bytes.',
    boc String COMMENT 'The block\'s bytes.'
)
ENGINE = Null
COMMENT 'The bytes of blocks as they were captured.';
