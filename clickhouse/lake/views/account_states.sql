-- States of accounts after their last transaction of each block. The partition date is timestamp.
-- reads: base
-- needs: base.account_states.now
SELECT
    concat(toString(s.workchain), ':', hex(s.account)) AS account, -- The account
    base64Encode(s.hash) AS hash, -- Hash of the state
    toNullable(toInt64(s.balance)) AS balance,
    toNullable(toString(s.status)) AS account_status, -- uninit, frozen, active or nonexist
    toNullable(toInt32(s.now)) AS timestamp, -- Time of the transaction that led to the state, Unix seconds
    toNullable(base64Encode(s.last_trans_hash)) AS last_trans_hash,
    toNullable(toInt64(s.lt)) AS last_trans_lt, -- Logical time of that transaction
    {hash s.frozen_hash} AS frozen_hash,
    {hash s.data_hash} AS data_hash,
    {hash s.code_hash} AS code_hash,
    CAST(NULL, 'Nullable(String)') AS data_boc, -- Always null: blocks contain only the changed cells of a state
    CAST(NULL, 'Nullable(String)') AS code_boc, -- Always null: blocks contain only the changed cells of a state
    toDateTime(s.now, 'UTC') AS block_time, -- Time of the transaction, UTC
    toDate(toDateTime(s.now, 'UTC')) AS block_date -- Date of the transaction, UTC
FROM {base}.account_states AS s
WHERE s.origin = 'block' AND {visible base s}
