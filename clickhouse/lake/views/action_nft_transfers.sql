-- Transfers and purchases of NFT items. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id,
    base64Encode(a.trace_id) AS trace_id,
    toString(a.type) AS type,
    a.success AS success,
    toInt64(a.end_lt) AS end_lt,
    {detail nft_item} AS nft_item, -- The item; null if the action has none
    {detail nft_collection} AS nft_collection, -- Collection; null if the action has none
    {detail nft_item_index} AS nft_item_index, -- Index of the item in its collection, decimal text; null if the action has none
    {detail old_owner} AS old_owner, -- Owner before; null if the action has none
    {detail new_owner} AS new_owner, -- Owner after; null if the action has none
    {detail marketplace} AS marketplace, -- Name of the marketplace, if it was a purchase; null if the action has none
    {amount payout_amount} AS payout_amount, -- Amount that the seller received, nanotons; null if the action has none
    {amount royalty_amount} AS royalty_amount, -- Royalty, nanotons; null if the action has none
    {detail comment} AS comment, -- Text comment; null if the action has none
    a.details AS details,
    toDateTime(a.trace_end_utime, 'UTC') AS block_time,
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date
FROM {actions}.actions AS a
WHERE a.type IN ('nft_transfer', 'nft_purchase') AND {visible actions a}
