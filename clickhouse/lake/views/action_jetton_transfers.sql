-- Transfers of jettons, as explorers show them. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id,
    base64Encode(a.trace_id) AS trace_id,
    toString(a.type) AS type,
    a.success AS success,
    toInt64(a.end_lt) AS end_lt,
    {detail asset} AS asset, -- Jetton master; null if the action has none
    {detail sender} AS sender, -- Sender; null if the action has none
    {detail receiver} AS receiver, -- Receiver; null if the action has none
    {detail sender_jetton_wallet} AS sender_jetton_wallet, -- Sender's jetton wallet; null if the action has none
    {detail receiver_jetton_wallet} AS receiver_jetton_wallet, -- Receiver's jetton wallet; null if the action has none
    {amount amount} AS amount, -- Amount in the jetton's smallest unit; null if the action has none
    {amount forward_amount} AS forward_amount, -- Value that was forwarded, nanotons; null if the action has none
    {detail comment} AS comment, -- Text comment; null if the action has none
    a.details AS details,
    toDateTime(a.trace_end_utime, 'UTC') AS block_time,
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date
FROM {actions}.actions AS a
WHERE a.type IN ('jetton_transfer') AND {visible actions a}
