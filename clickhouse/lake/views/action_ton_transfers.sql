-- Transfers of TON, as explorers show them. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id,
    base64Encode(a.trace_id) AS trace_id,
    toString(a.type) AS type,
    a.success AS success,
    toInt64(a.end_lt) AS end_lt,
    {detail source} AS source, -- Sender; null if the action has none
    {detail destination} AS destination, -- Receiver; null if the action has none
    {amount value} AS value, -- Value, nanotons; null if the action has none
    {detail comment} AS comment, -- Text comment; null if the action has none
    a.details AS details,
    toDateTime(a.trace_end_utime, 'UTC') AS block_time,
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date
FROM {actions}.actions AS a
WHERE a.type IN ('ton_transfer') AND {visible actions a}
