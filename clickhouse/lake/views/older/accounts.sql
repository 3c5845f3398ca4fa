-- Accounts in their newest state.
-- rows: newest
-- reads: base contracts
-- adds: detections
SELECT
    concat(toString(s.workchain), ':', hex(s.account)) AS address, -- The account
    toNullable(toString(s.status)) AS status, -- uninit, frozen, active or nonexist
    {hash s.last_trans_hash} AS last_tx_hash, -- Hash of its last transaction; null if it has none in the index
    if(s.last_paid > 0, toDateTime(s.last_paid, 'UTC'), NULL) AS last_tx_at, -- Time at which it last paid for storage, which is its last transaction; null for special accounts
    toNullable(toInt64(s.balance)) AS balance, -- Balance, nanotons
    {hash s.code_hash} AS code_hash, -- Hash of the code; null without code
    CAST(NULL, 'Nullable(String)') AS deployment_tx_hash, -- Always null: not indexed yet
    CAST(NULL, 'Nullable(DateTime(\'UTC\'))') AS deployment_at, -- Always null: not indexed yet
    CAST(NULL, 'Nullable(Bool)') AS deployment_by_external, -- Always null: not indexed yet
    CAST(NULL, 'Nullable(String)') AS initial_funding_tx_hash, -- Always null: not indexed yet
    CAST(NULL, 'Nullable(DateTime(\'UTC\'))') AS initial_funding_at, -- Always null: not indexed yet
    CAST(NULL, 'Nullable(String)') AS first_tx_sender, -- Always null: not indexed yet
    arrayFilter(x -> x != '', [{interface s.code_hash}, multiIf((s.account, s.workchain) IN {of_kind jetton_wallet}, 'jetton_wallet', (s.account, s.workchain) IN {of_kind jetton_master}, 'jetton_master', (s.account, s.workchain) IN {of_kind nft_item}, 'nft_item', (s.account, s.workchain) IN {of_kind nft_collection}, 'nft_collection', '')]) AS interfaces, -- Kinds of the contract: wallet_v4r2, jetton_wallet, nft_item …
    if(s.last_paid > 0, toDateTime(s.last_paid, 'UTC'), NULL) AS block_time, -- The same as last_tx_at
    if(s.last_paid > 0, toDate(toDateTime(s.last_paid, 'UTC')), NULL) AS block_date -- Date of last_tx_at
FROM {newest_accounts} AS s
