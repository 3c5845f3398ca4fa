-- Actions: what a trace did, as explorers show it. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id, -- Id of the action
    base64Encode(a.trace_id) AS trace_id, -- Trace of the action
    {hash a.external_hash} AS external_hash, -- Hash of the message that began the trace
    toString(a.type) AS type, -- Type of the action: jetton_transfer, nft_transfer …
    a.success AS success, -- True if the action ended well
    toInt64(a.start_lt) AS start_lt, -- Lowest logical time of the action
    toInt64(a.end_lt) AS end_lt, -- Highest logical time of the action
    toInt32(a.start_utime) AS start_utime, -- Time of its first transaction, Unix seconds
    toInt32(a.end_utime) AS end_utime, -- Time of its last transaction, Unix seconds
    toInt32(a.trace_end_utime) AS trace_end_utime, -- Time of the last transaction of the trace, Unix seconds
    arrayMap(x -> toString(x), a.ancestor_types) AS ancestor_types, -- Types of the actions that contain this one
    arrayMap(x -> concat(toString(reinterpretAsInt32(reverse(substring(x, 1, 4)))), ':', hex(substring(x, 5))), a.accounts) AS accounts, -- Accounts of the action
    arrayMap(x -> base64Encode(x), a.tx_hashes) AS tx_hashes, -- Hashes of its transactions
    a.details AS details, -- Details as the API returns them, JSON text
    toDateTime(a.trace_end_utime, 'UTC') AS block_time, -- Time of the last transaction of the trace, UTC
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date -- Date of the last transaction of the trace, UTC
FROM {actions}.actions AS a
WHERE {visible actions a}
