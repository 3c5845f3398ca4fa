-- Swaps of jettons and TON at DEXes. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id,
    base64Encode(a.trace_id) AS trace_id,
    a.success AS success,
    toInt64(a.end_lt) AS end_lt,
    {detail dex} AS dex, -- Name of the DEX
    {detail sender} AS sender, -- Trader
    {detail asset_in} AS asset_in, -- Jetton master of the sold asset; null for TON
    {detail asset_out} AS asset_out, -- Jetton master of the bought asset; null for TON
    toDecimal128OrNull(JSONExtractString(a.details, 'dex_incoming_transfer', 'amount'), 0) AS amount_in, -- Sold amount in the asset's smallest unit
    toDecimal128OrNull(JSONExtractString(a.details, 'dex_outgoing_transfer', 'amount'), 0) AS amount_out, -- Bought amount in the asset's smallest unit
    a.details AS details,
    toDateTime(a.trace_end_utime, 'UTC') AS block_time,
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date
FROM {actions}.actions AS a
WHERE a.type = 'jetton_swap' AND {visible actions a}
