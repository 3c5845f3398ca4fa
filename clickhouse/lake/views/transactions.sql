-- Transactions of all accounts. The partition date is now.
-- reads: base
-- adds: traces
SELECT
    concat(toString(t.workchain), ':', hex(t.account)) AS account, -- Account of the transaction
    base64Encode(t.hash) AS hash,
    toInt64(t.lt) AS lt,
    toNullable(t.workchain) AS block_workchain,
    toNullable(toInt64(t.shard)) AS block_shard, -- Shard of its block, as a signed number
    toNullable(toInt32(t.seqno)) AS block_seqno,
    toNullable(toInt32(t.mc_seqno)) AS mc_block_seqno,
    {trace_id t.account t.workchain t.lt} AS trace_id, -- Trace that the transaction belongs to; null while the trace is not indexed
    nullIf({transaction previous}, '') AS prev_trans_hash, -- Hash of the account's previous transaction
    toNullable(toInt64(t.prev_trans_lt)) AS prev_trans_lt,
    toNullable(toInt32(t.now)) AS now,
    toNullable(toString(t.orig_status)) AS orig_status, -- Status of the account before: uninit, frozen, active or nonexist
    toNullable(toString(t.end_status)) AS end_status,
    toNullable(toInt64(t.total_fees)) AS total_fees,
    nullIf({transaction before}, '') AS account_state_hash_before, -- Hash of the account's state before
    nullIf({transaction after}, '') AS account_state_hash_after, -- Hash of the account's state after it
    if({before present}, {before code_hash}, {previous code}) AS account_state_code_hash_before, -- Code hash before; null if unknown between two transactions of one block, or without code
    {after code_hash} AS account_state_code_hash_after, -- Code hash after it; null if unknown between two transactions of one block, or without code
    if({before present}, {before balance}, if(t.orig_status = 'nonexist', toInt64(0), {previous balance})) AS account_state_balance_before, -- Balance before, nanotons; null if unknown between two transactions of one block
    coalesce({after balance}, if(t.end_status = 'nonexist', toInt64(0), NULL)) AS account_state_balance_after, -- Balance after it, nanotons; null if unknown between two transactions of one block
    toNullable(toString(t.type)) AS descr, -- Kind: ord, storage, tick_tock, split_prepare, split_install, merge_prepare or merge_install
    toNullable(t.aborted) AS aborted,
    toNullable(t.destroyed) AS destroyed,
    if(t.type = 'ord', t.credit_first, NULL) AS credit_first, -- True if the value is credited first; null unless ord
    if(t.type = 'tick_tock', t.is_tock, NULL) AS is_tock, -- True for tock, false for tick; null unless tick_tock
    if(t.type IN ('split_install', 'merge_install', 'split_prepare', 'merge_prepare'), t.installed, NULL) AS installed, -- True if a split or merge was installed; null unless one of them
    if(t.storage_status_change = 'none', NULL, toInt64(t.storage_fees_collected)) AS storage_fees_collected, -- Storage fees, nanotons; null without a storage phase
    toInt64(t.storage_fees_due) AS storage_fees_due,
    if(t.storage_status_change = 'none', NULL, toString(t.storage_status_change)) AS storage_status_change, -- Change by the storage phase: unchanged, frozen or deleted
    toInt64(t.credit_due_fees_collected) AS credit_due_fees_collected,
    if(t.has_credit, toInt64(t.credit), NULL) AS credit, -- Credited value, nanotons; null without a credit phase
    CAST(if(t.compute_type = 'none', NULL, t.compute_type = 'skipped'), 'Nullable(Bool)') AS compute_skipped, -- True if the compute phase was skipped; null without one
    if(t.compute_skip_reason = 'none', NULL, toString(t.compute_skip_reason)) AS skipped_reason, -- Why: no_state, bad_state, no_gas or suspended
    if(t.compute_type = 'vm', t.compute_success, NULL) AS compute_success, -- True if the contract ended well
    if(t.compute_type = 'vm', t.compute_msg_state_used, NULL) AS compute_msg_state_used, -- True if the message's state was used
    if(t.compute_type = 'vm', t.compute_account_activated, NULL) AS compute_account_activated, -- True if the account became active
    if(t.compute_type = 'vm', toInt64(t.compute_gas_fees), NULL) AS compute_gas_fees, -- Gas fees, nanotons
    if(t.compute_type = 'vm', toInt64(t.compute_gas_used), NULL) AS compute_gas_used, -- Gas used
    if(t.compute_type = 'vm', toInt64(t.compute_gas_limit), NULL) AS compute_gas_limit, -- Gas limit
    toInt64(t.compute_gas_credit) AS compute_gas_credit, -- Gas credit of an external message
    if(t.compute_type = 'vm', toInt32(t.compute_mode), NULL) AS compute_mode, -- Mode of the virtual machine
    if(t.compute_type = 'vm', t.compute_exit_code, NULL) AS compute_exit_code, -- Exit code of the contract: see ton.exit_codes
    t.compute_exit_arg AS compute_exit_arg,
    if(t.compute_type = 'vm', toInt64(t.compute_vm_steps), NULL) AS compute_vm_steps, -- Steps of the virtual machine
    if(t.compute_type = 'vm', base64Encode(t.compute_vm_init_state_hash), NULL) AS compute_vm_init_state_hash, -- Hash of the machine's state before
    if(t.compute_type = 'vm', base64Encode(t.compute_vm_final_state_hash), NULL) AS compute_vm_final_state_hash, -- Hash of the machine's state after
    if(t.has_action, t.action_success, NULL) AS action_success, -- True if the action phase ended well; null without one
    if(t.has_action, t.action_valid, NULL) AS action_valid, -- True if the actions are valid
    if(t.has_action, t.action_no_funds, NULL) AS action_no_funds, -- True if the funds did not suffice
    if(t.action_status_change = 'none', NULL, toString(t.action_status_change)) AS action_status_change, -- Change by the action phase: unchanged, frozen or deleted
    toInt64(t.action_total_fwd_fees) AS action_total_fwd_fees,
    toInt64(t.action_total_action_fees) AS action_total_action_fees,
    if(t.has_action, t.action_result_code, NULL) AS action_result_code, -- Result of the action phase
    t.action_result_arg AS action_result_arg,
    if(t.has_action, toInt32(t.action_tot_actions), NULL) AS action_tot_actions, -- Actions
    if(t.has_action, toInt32(t.action_spec_actions), NULL) AS action_spec_actions, -- Special actions
    if(t.has_action, toInt32(t.action_skipped_actions), NULL) AS action_skipped_actions, -- Skipped actions
    if(t.has_action, toInt32(t.action_msgs_created), NULL) AS action_msgs_created, -- Messages created
    if(t.has_action, base64Encode(t.action_list_hash), NULL) AS action_action_list_hash, -- Hash of the action list
    if(t.has_action, toInt64(t.action_tot_msg_cells), NULL) AS action_tot_msg_size_cells, -- Cells of the created messages
    if(t.has_action, toInt64(t.action_tot_msg_bits), NULL) AS action_tot_msg_size_bits, -- Bits of the created messages
    if(t.bounce_type = 'none', NULL, toString(t.bounce_type)) AS bounce, -- Bounce phase: negfunds, nofunds or ok; null without one
    if(t.bounce_type IN ('nofunds', 'ok'), toInt64(t.bounce_msg_cells), NULL) AS bounce_msg_size_cells, -- Cells of the bounced message
    if(t.bounce_type IN ('nofunds', 'ok'), toInt64(t.bounce_msg_bits), NULL) AS bounce_msg_size_bits, -- Bits of the bounced message
    if(t.bounce_type = 'nofunds', toInt64(t.bounce_req_fwd_fees), NULL) AS bounce_req_fwd_fees, -- Forward fees that were lacking, nanotons
    if(t.bounce_type = 'ok', toInt64(t.bounce_msg_fees), NULL) AS bounce_msg_fees, -- Message fees of the bounce, nanotons
    if(t.bounce_type = 'ok', toInt64(t.bounce_fwd_fees), NULL) AS bounce_fwd_fees, -- Forward fees of the bounce, nanotons
    CAST(NULL, 'Nullable(Int32)') AS split_info_cur_shard_pfx_len, -- Always null: no network splits accounts
    CAST(NULL, 'Nullable(Int32)') AS split_info_acc_split_depth, -- Always null: no network splits accounts
    CAST(NULL, 'Nullable(String)') AS split_info_this_addr, -- Always null: no network splits accounts
    CAST(NULL, 'Nullable(String)') AS split_info_sibling_addr, -- Always null: no network splits accounts
    toDateTime(t.now, 'UTC') AS block_time,
    toDate(toDateTime(t.now, 'UTC')) AS block_date
FROM {base}.transactions AS t
WHERE {visible base t}
