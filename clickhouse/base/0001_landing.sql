-- Landing tables: what the decoder inserts, one Native batch each. They keep nothing (engine Null); the views of
-- the following files fan every batch out. Columns are those of src/ton/columns/tables.ts (checked by a test).

CREATE TABLE IF NOT EXISTS {db}.land_blocks{cluster}
(
    mc_seqno UInt32,
    workchain Int32,
    shard UInt64,
    seqno UInt32,
    root_hash FixedString(32),
    file_hash FixedString(32),
    global_id Int32,
    version UInt32,
    flags UInt8,
    after_merge Bool,
    before_split Bool,
    after_split Bool,
    want_merge Bool,
    want_split Bool,
    key_block Bool,
    vert_seqno_incr Bool,
    vert_seqno UInt32,
    gen_utime UInt32,
    start_lt UInt64,
    end_lt UInt64,
    validator_list_hash_short UInt32,
    gen_catchain_seqno UInt32,
    min_ref_mc_seqno UInt32,
    prev_key_block_seqno UInt32,
    gen_software_version UInt32,
    gen_software_capabilities UInt64,
    master_ref_seqno UInt32,
    master_ref_end_lt UInt64,
    master_ref_root_hash FixedString(32),
    master_ref_file_hash FixedString(32),
    prev_seqno UInt32,
    prev_end_lt UInt64,
    prev_root_hash FixedString(32),
    prev_file_hash FixedString(32),
    prev2_seqno UInt32,
    prev2_end_lt UInt64,
    prev2_root_hash FixedString(32),
    prev2_file_hash FixedString(32),
    state_hash_before FixedString(32),
    state_hash_after FixedString(32),
    value_flow_tag UInt32,
    from_prev_blk UInt128,
    to_next_blk UInt128,
    imported UInt128,
    exported UInt128,
    fees_collected UInt128,
    burned UInt128,
    fees_imported UInt128,
    recovered UInt128,
    created UInt128,
    minted UInt128,
    rand_seed FixedString(32),
    created_by FixedString(32),
    in_msg_descr_count UInt32,
    out_msg_descr_count UInt32,
    account_blocks UInt32,
    tx_count UInt32,
    boc_bytes UInt32
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_shards{cluster}
(
    mc_seqno UInt32,
    workchain Int32,
    shard UInt64,
    seqno UInt32,
    reg_mc_seqno UInt32,
    start_lt UInt64,
    end_lt UInt64,
    root_hash FixedString(32),
    file_hash FixedString(32),
    gen_utime UInt32
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_config_params{cluster}
(
    mc_seqno UInt32,
    param Int32,
    hash FixedString(32),
    boc String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_transactions{cluster}
(
    mc_seqno UInt32,
    workchain Int32,
    shard UInt64,
    seqno UInt32,
    account FixedString(32),
    lt UInt64,
    hash FixedString(32),
    prev_trans_hash FixedString(32),
    prev_trans_lt UInt64,
    now UInt32,
    orig_status Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3),
    end_status Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3),
    total_fees UInt128,
    total_fees_extra Map(UInt32, UInt256),
    state_hash_before FixedString(32),
    state_hash_after FixedString(32),
    type Enum8('ord' = 0, 'storage' = 1, 'tick_tock' = 2, 'split_prepare' = 3, 'split_install' = 4, 'merge_prepare' = 5, 'merge_install' = 6),
    aborted Bool,
    destroyed Bool,
    credit_first Bool,
    is_tock Bool,
    installed Bool,
    storage_status_change Enum8('none' = 0, 'unchanged' = 1, 'frozen' = 2, 'deleted' = 3),
    storage_fees_collected UInt128,
    storage_fees_due Nullable(UInt128),
    has_credit Bool,
    credit_due_fees_collected Nullable(UInt128),
    credit UInt128,
    credit_extra Map(UInt32, UInt256),
    compute_type Enum8('none' = 0, 'skipped' = 1, 'vm' = 2),
    compute_skip_reason Enum8('none' = 0, 'no_state' = 1, 'bad_state' = 2, 'no_gas' = 3, 'suspended' = 4),
    compute_success Bool,
    compute_msg_state_used Bool,
    compute_account_activated Bool,
    compute_gas_fees UInt128,
    compute_gas_used UInt64,
    compute_gas_limit UInt64,
    compute_gas_credit Nullable(UInt32),
    compute_mode Int8,
    compute_exit_code Int32,
    compute_exit_arg Nullable(Int32),
    compute_vm_steps UInt32,
    compute_vm_init_state_hash FixedString(32),
    compute_vm_final_state_hash FixedString(32),
    has_action Bool,
    action_success Bool,
    action_valid Bool,
    action_no_funds Bool,
    action_status_change Enum8('none' = 0, 'unchanged' = 1, 'frozen' = 2, 'deleted' = 3),
    action_total_fwd_fees Nullable(UInt128),
    action_total_action_fees Nullable(UInt128),
    action_result_code Int32,
    action_result_arg Nullable(Int32),
    action_tot_actions UInt16,
    action_spec_actions UInt16,
    action_skipped_actions UInt16,
    action_msgs_created UInt16,
    action_list_hash FixedString(32),
    action_tot_msg_cells UInt64,
    action_tot_msg_bits UInt64,
    bounce_type Enum8('none' = 0, 'negfunds' = 1, 'nofunds' = 2, 'ok' = 3),
    bounce_msg_cells UInt64,
    bounce_msg_bits UInt64,
    bounce_req_fwd_fees UInt128,
    bounce_msg_fees UInt128,
    bounce_fwd_fees UInt128,
    split_info String,
    out_msg_count UInt16,
    messages String,
    states String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_messages{cluster}
(
    mc_seqno UInt32,
    side Enum8('out' = 0, 'in' = 1),
    kind Enum8('internal' = 0, 'ext_in' = 1, 'ext_out' = 2),
    hash FixedString(32),
    hash_norm FixedString(32),
    created_lt UInt64,
    created_at UInt32,
    source_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3),
    source_workchain Int32,
    source FixedString(32),
    destination_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3),
    destination_workchain Int32,
    destination FixedString(32),
    value UInt128,
    value_extra Map(UInt32, UInt256),
    fwd_fee UInt128,
    ihr_fee UInt128,
    import_fee UInt128,
    extra_flags Nullable(UInt128),
    ihr_disabled Bool,
    bounce Bool,
    bounced Bool,
    opcode Nullable(UInt32),
    body_hash FixedString(32),
    body String,
    init_hash FixedString(32),
    init String,
    tx_workchain Int32,
    tx_account FixedString(32),
    tx_lt UInt64,
    tx_hash FixedString(32),
    listed Bool
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_account_states{cluster}
(
    mc_seqno UInt32,
    workchain Int32,
    account FixedString(32),
    lt UInt64,
    last_trans_hash FixedString(32),
    hash FixedString(32),
    status Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3),
    balance UInt128,
    extra Map(UInt32, UInt256),
    code_hash FixedString(32),
    data_hash FixedString(32),
    frozen_hash FixedString(32),
    last_paid UInt32,
    due_payment Nullable(UInt128),
    storage_cells UInt64,
    storage_bits UInt64,
    has_prev Bool,
    prev_lt UInt64,
    prev_balance UInt128,
    origin Enum8('block' = 0, 'before' = 1, 'state' = 2)
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_account_cells{cluster}
(
    mc_seqno UInt32,
    workchain Int32,
    account FixedString(32),
    lt UInt64,
    hash FixedString(32),
    whole Bool,
    boc String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_raw_blocks{cluster}
(
    mc_seqno UInt32,
    workchain Int32,
    shard UInt64,
    seqno UInt32,
    root_hash FixedString(32),
    file_hash FixedString(32),
    boc String
)
ENGINE = Null;
