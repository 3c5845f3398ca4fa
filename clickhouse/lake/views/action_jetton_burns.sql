-- Burns of jettons. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id, -- Id of the action
    base64Encode(a.trace_id) AS trace_id, -- Trace of the action
    toString(a.type) AS type, -- Type of the action
    a.success AS success, -- True if the action ended well
    toInt64(a.end_lt) AS end_lt, -- Highest logical time of the action
    {detail asset} AS asset, -- Jetton master; null if the action has none
    {detail owner} AS owner, -- Owner; null if the action has none
    {detail owner_jetton_wallet} AS owner_jetton_wallet, -- Owner's jetton wallet; null if the action has none
    {amount amount} AS amount, -- Amount in the jetton's smallest unit; null if the action has none
    a.details AS details, -- All details as the API returns them, JSON text
    toDateTime(a.trace_end_utime, 'UTC') AS block_time, -- Time of the last transaction of the trace, UTC
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date -- Date of the last transaction of the trace, UTC
FROM {actions}.actions AS a
WHERE a.type IN ('jetton_burn') AND {visible actions a}
