-- Events of NFT items: mints, listings, sales, transfers and bids, from successful actions. The partition date is timestamp.
-- reads: lake
SELECT
    toString(e.type) AS type, -- mint, put_on_sale, cancel_sale, sale, transfer or bid
    e.item AS nft_item_address, -- The item
    toNullable(e.is_init) AS is_init, -- True if the item is initialised
    toString(e.item_index) AS nft_item_index, -- Index in the collection, decimal text
    e.collection AS collection_address, -- Collection; null without one
    e.owner AS owner_address, -- Owner after the event; of a listing, its seller
    nullIf(e.content, '') AS content_onchain, -- Content on the chain, JSON text
    toNullable(toInt64(e.time)) AS timestamp, -- Time of the event, Unix seconds
    toNullable(toInt64(e.lt)) AS lt, -- Logical time of the event
    e.tx_hash AS tx_hash, -- Hash of the item's last transaction in the event; of a bid, of the auction's
    e.trace_id AS trace_id, -- Trace of the event
    e.prev_owner AS prev_owner, -- Deployer of a mint, seller of a sale, previous owner of a transfer, bidder of a bid; null for listings
    CAST(e.query_id, 'Nullable(Decimal(20, 0))') AS query_id, -- Number that the sender of a transfer gave
    {decimal e.forward_amount} AS forward_amount, -- Value that a transfer forwarded, nanotons
    nullIf(e.forward_payload, '') AS forward_payload, -- Forward payload as raw bytes of a bag of cells
    nullIf(e.comment, '') AS comment, -- Text comment of the forward payload
    nullIf(e.custom_payload, '') AS custom_payload, -- Custom payload as raw bytes of a bag of cells
    e.contract AS sale_contract, -- Sale or auction; the item itself for names and usernames
    nullIf(toString(e.sale_type), '') AS sale_type, -- sale or auction
    toNullable(toInt32(e.end_time)) AS sale_end_time, -- End of an auction, Unix seconds
    nullIf(toString(e.marketplace), '') AS marketplace_address, -- Marketplace
    nullIf(toString(e.fee_address), '') AS marketplace_fee_address, -- Receiver of its fee
    {decimal e.fee} AS marketplace_fee, -- Its fee, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose fee is a share
    {decimal e.price} AS sale_price, -- Price of a sale or listing, or the bid, nanotons
    if(e.type IN ('sale', 'bid', 'put_on_sale', 'cancel_sale'), 'TON', NULL) AS payment_asset, -- TON; null for mints and transfers
    nullIf(e.royalty_address, '') AS royalty_address, -- Receiver of the royalty
    {decimal e.royalty} AS royalty_amount, -- Royalty, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose royalty is a share
    {decimal e.max_bid} AS auction_max_bid, -- Bid that ends an auction, nanotons
    {decimal e.min_bid} AS auction_min_bid, -- Lowest first bid, nanotons
    {decimal e.min_step} AS auction_min_step, -- Lowest step between bids, per cent
    toDateTime(e.time, 'UTC') AS block_time, -- Time of the event, UTC
    toDate(toDateTime(e.time, 'UTC')) AS block_date -- Date of the event, UTC
FROM {lake}.nft_events AS e
WHERE {visible lake e}
