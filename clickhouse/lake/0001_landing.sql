-- Landing tables of the projection: what src/projections/lake makes, one Native batch each. They keep nothing.
CREATE TABLE IF NOT EXISTS {db}.land_trades{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    lt UInt64 COMMENT 'Logical time of the pool\'s transaction.',
    time UInt32 COMMENT 'Time of the pool\'s transaction, Unix seconds.',
    tx_hash FixedString(32) COMMENT 'Hash of the router\'s transaction that received the pool\'s payment, or of the pool\'s transaction.',
    trace_id FixedString(32) COMMENT 'Trace of the trade.',
    project String COMMENT 'Exchange or launchpad: ston.fi, dedust …',
    version UInt8 COMMENT 'Version of the exchange\'s contracts.',
    trader String COMMENT 'Trader; none for most launches.',
    pool String COMMENT 'Pool; of a launchpad, the jetton master.',
    router String COMMENT 'Router.',
    payer String COMMENT 'Contract that paid the trader, a vault or a router: the pools of an exchange are known by it.',
    sold String COMMENT 'Master of the sold jetton; TON is address zero, or the exchange\'s wrapped TON; none for a launch.',
    bought String COMMENT 'Master of the bought jetton; TON as for the sold one; none for a launch.',
    amount_sold UInt256 COMMENT 'Sold amount, in the token\'s smallest unit.',
    amount_bought UInt256 COMMENT 'Bought amount, in the token\'s smallest unit.',
    reserve_sold Nullable(UInt256) COMMENT 'Reserve of the sold token after the swap; null if the pool does not log it.',
    reserve_bought Nullable(UInt256) COMMENT 'Reserve of the bought token after the swap; null if the pool does not log it.',
    referral String COMMENT 'Referrer; of Blum, a text.',
    query_id Nullable(UInt64) COMMENT 'Number that the sender gave; null if the exchange does not pass it on.',
    platform_tag String COMMENT 'Platform that brought the trader, as ton.fun logs it.'
)
ENGINE = Null
COMMENT 'Swaps at exchanges, one row a pool; trades and launches of launchpads.';

CREATE TABLE IF NOT EXISTS {db}.land_nft_events{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    lt UInt64 COMMENT 'Logical time of the event.',
    time UInt32 COMMENT 'Time of the event, Unix seconds.',
    tx_hash FixedString(32) COMMENT 'Hash of the item\'s last transaction in the event; of a bid, of the auction\'s.',
    trace_id FixedString(32) COMMENT 'Trace of the event.',
    type String COMMENT 'mint, put_on_sale, cancel_sale, sale, transfer or bid.',
    item String COMMENT 'The item.',
    is_init Bool COMMENT 'True if the item is initialised.',
    item_index Nullable(UInt256) COMMENT 'Index in the collection, decimal text.',
    collection String COMMENT 'Collection; null without one.',
    owner String COMMENT 'Owner after the event; of a listing, its seller.',
    content String COMMENT 'Content on the chain, JSON text.',
    prev_owner String COMMENT 'Deployer of a mint, seller of a sale, previous owner of a transfer, bidder of a bid; null for listings.',
    query_id Nullable(UInt64) COMMENT 'Number that the sender of a transfer gave.',
    forward_amount Nullable(UInt128) COMMENT 'Value that a transfer forwarded, nanotons.',
    forward_payload String COMMENT 'Forward payload as raw bytes of a bag of cells.',
    comment String COMMENT 'Text comment of the forward payload.',
    custom_payload String COMMENT 'Custom payload as raw bytes of a bag of cells.',
    contract String COMMENT 'Sale or auction; the item itself for names and usernames.',
    sale_type String COMMENT 'sale or auction.',
    end_time Nullable(UInt32) COMMENT 'End of an auction, Unix seconds.',
    marketplace String COMMENT 'Marketplace.',
    fee_address String COMMENT 'Receiver of its fee.',
    fee Nullable(UInt128) COMMENT 'Its fee, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose fee is a share.',
    price Nullable(UInt128) COMMENT 'Price of a sale or listing, or the bid, nanotons.',
    royalty_address String COMMENT 'Receiver of the royalty.',
    royalty Nullable(UInt128) COMMENT 'Royalty, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose royalty is a share.',
    max_bid Nullable(UInt128) COMMENT 'Bid that ends an auction, nanotons.',
    min_bid Nullable(UInt128) COMMENT 'Lowest first bid, nanotons.',
    min_step Nullable(UInt128) COMMENT 'Lowest step between bids, per cent.'
)
ENGINE = Null
COMMENT 'Events of NFT items.';
