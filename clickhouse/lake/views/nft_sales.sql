-- States of sales and auctions of NFTs, one row a change. The partition date is timestamp. Of a contract that only get methods identify, a row has a state that was examined: several changes may have one row.
-- reads: base contracts
-- adds: detections
SELECT
    concat(toString(a.workchain), ':', hex(a.account)) AS address, -- The sale or auction
    if(a.is_auction, 'auction', 'sale') AS type, -- sale or auction
    if(a.has_parent, concat(toString(a.parent_workchain), ':', hex(a.parent)), NULL) AS nft_address, -- The item
    if(a.has_owner, concat(toString(a.owner_workchain), ':', hex(a.owner)), NULL) AS nft_owner_address, -- Seller
    nullIf(JSONExtract(a.details, 'created_at', 'Int32'), 0) AS created_at, -- Time of its creation, Unix seconds
    CAST(JSONExtractBool(a.details, 'is_complete') OR JSONExtractBool(a.details, 'end_flag'), 'Nullable(Bool)') AS is_complete, -- True if the item was sold or handed back
    if(a.is_auction, JSONExtract(a.details, 'is_canceled', 'Nullable(Bool)'), NULL) AS is_canceled, -- True if an auction was cancelled; null for a sale
    nullIf(JSONExtract(a.details, 'end_time', 'Int32'), 0) AS end_time, -- End of an auction, Unix seconds
    {detail marketplace_address} AS marketplace_address, -- Marketplace
    coalesce({detail marketplace_fee_address}, {detail mp_fee_address}) AS marketplace_fee_address, -- Receiver of its fee
    {amount marketplace_fee} AS marketplace_fee, -- Its fee, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose fee is a share
    coalesce({amount full_price}, {amount last_bid}) AS price, -- Price, or current bid of an auction, nanotons
    toNullable('TON') AS asset, -- TON
    coalesce({detail royalty_address}, {detail royalty_fee_address}) AS royalty_address, -- Receiver of the royalty
    {amount royalty_amount} AS royalty_amount, -- Royalty, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose royalty is a share
    {amount max_bid} AS max_bid, -- Bid that ends an auction, nanotons
    {amount min_bid} AS min_bid, -- Lowest first bid, nanotons; of Getgems 4, null when there is a bid
    {amount min_step} AS min_step, -- Lowest step between bids, per cent
    nullIf(JSONExtract(a.details, 'last_bid_at', 'Int32'), 0) AS last_bid_at, -- Time of the last bid, Unix seconds; null if unknown
    {detail last_member} AS last_member, -- Last bidder
    toNullable(toInt32(a.now)) AS timestamp, -- Time of the change, Unix seconds
    toNullable(toInt64(a.lt)) AS lt, -- Logical time of the change
    toDateTime(a.now, 'UTC') AS block_time, -- Time of the change, UTC
    toDate(toDateTime(a.now, 'UTC')) AS block_date -- Date of the change, UTC
FROM {sale_changes} AS a
