-- Changes of DNS records. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id,
    base64Encode(a.trace_id) AS trace_id,
    toString(a.type) AS type,
    a.success AS success,
    toInt64(a.end_lt) AS end_lt,
    {detail source} AS source, -- Sender; null if the action has none
    {detail asset} AS asset, -- NFT item of the name; null if the action has none
    {detail nft_collection} AS nft_collection, -- Collection; null if the action has none
    coalesce({detail key}, {detail hash}) AS key, -- Record that was changed; null if the action has none
    a.details AS details,
    toDateTime(a.trace_end_utime, 'UTC') AS block_time,
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date
FROM {actions}.actions AS a
WHERE a.type IN ('change_dns', 'delete_dns', 'renew_dns') AND {visible actions a}
