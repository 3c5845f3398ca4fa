-- Burns of jettons. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id,
    base64Encode(a.trace_id) AS trace_id,
    toString(a.type) AS type,
    a.success AS success,
    toInt64(a.end_lt) AS end_lt,
    {detail asset} AS asset, -- Jetton master; null if the action has none
    {detail owner} AS owner, -- Owner; null if the action has none
    {detail owner_jetton_wallet} AS owner_jetton_wallet, -- Owner's jetton wallet; null if the action has none
    {amount amount} AS amount, -- Amount in the jetton's smallest unit; null if the action has none
    a.details AS details,
    toDateTime(a.trace_end_utime, 'UTC') AS block_time,
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date
FROM {actions}.actions AS a
WHERE a.type IN ('jetton_burn') AND {visible actions a}
