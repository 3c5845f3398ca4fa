-- Traces: a message from outside, or a special transaction, and all that follows. One row a trace, in its newest state.
-- reads: traces
SELECT
    base64Encode(r.trace_id) AS trace_id, -- Hash of the first transaction
    {hash r.external_hash} AS external_hash, -- Hash of the message that began the trace
    toString(r.state) AS state, -- complete, pending while messages are under way, or broken if one is missing
    toInt32(r.mc_seqno_start) AS mc_seqno_start, -- Masterchain block of the first transaction
    toInt64(r.start_lt) AS start_lt, -- Logical time of the first transaction
    toInt32(r.start_utime) AS start_utime, -- Time of the first transaction, Unix seconds
    toInt32(r.mc_seqno_end) AS mc_seqno_end, -- Masterchain block of the last transaction so far
    toInt64(r.end_lt) AS end_lt, -- Logical time of the last transaction so far
    toInt32(r.end_utime) AS end_utime, -- Time of the last transaction so far, Unix seconds
    toInt32(r.messages) AS messages, -- Messages
    toInt32(r.transactions) AS transactions, -- Transactions
    toInt32(r.pending_messages) AS pending_messages, -- Messages under way
    toDateTime(r.start_utime, 'UTC') AS block_time, -- Time of the first transaction, UTC
    toDate(toDateTime(r.start_utime, 'UTC')) AS block_date -- Date of the first transaction, UTC
FROM {traces}.traces AS r
WHERE {visible traces r}
ORDER BY r.mc_seqno DESC
LIMIT 1 BY r.start_lt, r.trace8
