-- Bids in auctions. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id, -- Id of the action
    base64Encode(a.trace_id) AS trace_id, -- Trace of the action
    toString(a.type) AS type, -- Type of the action
    a.success AS success, -- True if the action ended well
    toInt64(a.end_lt) AS end_lt, -- Highest logical time of the action
    {amount amount} AS amount, -- Bid, nanotons; null if the action has none
    {detail bidder} AS bidder, -- Bidder; null if the action has none
    {detail auction} AS auction, -- The auction; null if the action has none
    {detail nft_item} AS nft_item, -- The item; null if the action has none
    {detail nft_collection} AS nft_collection, -- Collection; null if the action has none
    a.details AS details, -- All details as the API returns them, JSON text
    toDateTime(a.trace_end_utime, 'UTC') AS block_time, -- Time of the last transaction of the trace, UTC
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date -- Date of the last transaction of the trace, UTC
FROM {actions}.actions AS a
WHERE a.type IN ('auction_bid') AND {visible actions a}
