-- Actions: what a trace did, as explorers show it. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id,
    base64Encode(a.trace_id) AS trace_id,
    {hash a.external_hash} AS external_hash,
    toString(a.type) AS type,
    a.success AS success,
    toInt64(a.start_lt) AS start_lt,
    toInt64(a.end_lt) AS end_lt,
    toInt32(a.start_utime) AS start_utime,
    toInt32(a.end_utime) AS end_utime,
    toInt32(a.trace_end_utime) AS trace_end_utime,
    arrayMap(x -> toString(x), a.ancestor_types) AS ancestor_types,
    arrayMap(x -> concat(toString(reinterpretAsInt32(reverse(substring(x, 1, 4)))), ':', hex(substring(x, 5))), a.accounts) AS accounts, -- Accounts of the action
    arrayMap(x -> base64Encode(x), a.tx_hashes) AS tx_hashes,
    a.details AS details,
    toDateTime(a.trace_end_utime, 'UTC') AS block_time,
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date
FROM {actions}.actions AS a
WHERE {visible actions a}
