-- Events of NFT items: mints, listings, sales, transfers and bids, from successful actions. The partition date is timestamp.
-- reads: lake
SELECT
    toString(e.type) AS type,
    e.item AS nft_item_address,
    toNullable(e.is_init) AS is_init,
    toString(e.item_index) AS nft_item_index,
    e.collection AS collection_address,
    e.owner AS owner_address,
    nullIf(e.content, '') AS content_onchain,
    toNullable(toInt64(e.time)) AS timestamp,
    toNullable(toInt64(e.lt)) AS lt,
    e.tx_hash AS tx_hash,
    e.trace_id AS trace_id,
    e.prev_owner AS prev_owner,
    CAST(e.query_id, 'Nullable(Decimal(20, 0))') AS query_id,
    {decimal e.forward_amount} AS forward_amount,
    nullIf(e.forward_payload, '') AS forward_payload,
    nullIf(e.comment, '') AS comment,
    nullIf(e.custom_payload, '') AS custom_payload,
    e.contract AS sale_contract,
    nullIf(toString(e.sale_type), '') AS sale_type,
    toNullable(toInt32(e.end_time)) AS sale_end_time,
    nullIf(toString(e.marketplace), '') AS marketplace_address,
    nullIf(toString(e.fee_address), '') AS marketplace_fee_address,
    {decimal e.fee} AS marketplace_fee,
    {decimal e.price} AS sale_price,
    if(e.type IN ('sale', 'bid', 'put_on_sale', 'cancel_sale'), 'TON', NULL) AS payment_asset, -- TON; null for mints and transfers
    nullIf(e.royalty_address, '') AS royalty_address,
    {decimal e.royalty} AS royalty_amount,
    {decimal e.max_bid} AS auction_max_bid,
    {decimal e.min_bid} AS auction_min_bid,
    {decimal e.min_step} AS auction_min_step,
    toDateTime(e.time, 'UTC') AS block_time,
    toDate(toDateTime(e.time, 'UTC')) AS block_date
FROM {lake}.nft_events AS e
WHERE {visible lake e}
