-- Traces: a message from outside, or a special transaction, and all that follows. One row a trace, in its newest state.
-- reads: traces
SELECT
    base64Encode(r.trace_id) AS trace_id,
    {hash r.external_hash} AS external_hash,
    toString(r.state) AS state, -- complete, pending while messages are under way, or broken if one is missing
    toInt32(r.mc_seqno_start) AS mc_seqno_start,
    toInt64(r.start_lt) AS start_lt,
    toInt32(r.start_utime) AS start_utime,
    toInt32(r.mc_seqno_end) AS mc_seqno_end,
    toInt64(r.end_lt) AS end_lt,
    toInt32(r.end_utime) AS end_utime,
    toInt32(r.messages) AS messages,
    toInt32(r.transactions) AS transactions,
    toInt32(r.pending_messages) AS pending_messages,
    toDateTime(r.start_utime, 'UTC') AS block_time,
    toDate(toDateTime(r.start_utime, 'UTC')) AS block_date
FROM {traces}.traces AS r
WHERE {visible traces r}
ORDER BY r.mc_seqno DESC
LIMIT 1 BY r.start_lt, r.trace8
