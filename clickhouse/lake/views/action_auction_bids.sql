-- Bids in auctions. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id,
    base64Encode(a.trace_id) AS trace_id,
    toString(a.type) AS type,
    a.success AS success,
    toInt64(a.end_lt) AS end_lt,
    {amount amount} AS amount, -- Bid, nanotons; null if the action has none
    {detail bidder} AS bidder, -- Bidder; null if the action has none
    {detail auction} AS auction, -- The auction; null if the action has none
    {detail nft_item} AS nft_item, -- The item; null if the action has none
    {detail nft_collection} AS nft_collection, -- Collection; null if the action has none
    a.details AS details,
    toDateTime(a.trace_end_utime, 'UTC') AS block_time,
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date
FROM {actions}.actions AS a
WHERE a.type IN ('auction_bid') AND {visible actions a}
