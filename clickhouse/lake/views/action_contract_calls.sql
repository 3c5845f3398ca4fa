-- Calls of contracts that no other type names. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id, -- Id of the action
    base64Encode(a.trace_id) AS trace_id, -- Trace of the action
    toString(a.type) AS type, -- Type of the action
    a.success AS success, -- True if the action ended well
    toInt64(a.end_lt) AS end_lt, -- Highest logical time of the action
    {detail source} AS source, -- Sender; null if the action has none
    {detail destination} AS destination, -- Called contract; null if the action has none
    {amount value} AS value, -- Value, nanotons; null if the action has none
    {detail opcode} AS opcode, -- Opcode of the body, hex text; null if the action has none
    a.details AS details, -- All details as the API returns them, JSON text
    toDateTime(a.trace_end_utime, 'UTC') AS block_time, -- Time of the last transaction of the trace, UTC
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date -- Date of the last transaction of the trace, UTC
FROM {actions}.actions AS a
WHERE a.type IN ('call_contract') AND {visible actions a}
