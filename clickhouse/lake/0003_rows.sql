-- Swaps at exchanges, one row a pool. Addresses are raw text, hashes base64, and columns of views are null where they are: an index
-- only serves a filter on the column itself.
-- `payer`: vault or router that paid the trader, by which the pools of an exchange are known. `part`: the projection has one partition.
CREATE TABLE IF NOT EXISTS {db}.trades{cluster}
(
    time UInt32 COMMENT 'Time of the pool\'s transaction, Unix seconds.' CODEC(Delta, ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the pool\'s transaction.' CODEC(Delta, ZSTD(1)),
    pool String COMMENT 'Pool; of a launchpad, the jetton master.' CODEC(ZSTD(1)),
    tx_hash String COMMENT 'Hash of the router\'s transaction that received the pool\'s payment, or of the pool\'s transaction.' CODEC(ZSTD(1)),
    trace_id String COMMENT 'Trace of the trade.' CODEC(ZSTD(1)),
    project LowCardinality(String) COMMENT 'Exchange or launchpad: ston.fi, dedust …' CODEC(ZSTD(1)),
    version UInt8 COMMENT 'Version of the exchange\'s contracts.' CODEC(ZSTD(1)),
    trader Nullable(String) COMMENT 'Trader; none for most launches.' CODEC(ZSTD(1)),
    router LowCardinality(String) COMMENT 'Router.' CODEC(ZSTD(1)),
    payer String COMMENT 'Contract that paid the trader, a vault or a router: the pools of an exchange are known by it.' CODEC(ZSTD(1)),
    sold Nullable(String) COMMENT 'Master of the sold jetton; TON is address zero, or the exchange\'s wrapped TON; none for a launch.' CODEC(ZSTD(1)),
    bought Nullable(String) COMMENT 'Master of the bought jetton; TON as for the sold one; none for a launch.' CODEC(ZSTD(1)),
    amount_sold UInt256 COMMENT 'Sold amount, in the token\'s smallest unit.' CODEC(ZSTD(1)),
    amount_bought UInt256 COMMENT 'Bought amount, in the token\'s smallest unit.' CODEC(ZSTD(1)),
    reserve_sold Nullable(UInt256) COMMENT 'Reserve of the sold token after the swap; null if the pool does not log it.' CODEC(ZSTD(1)),
    reserve_bought Nullable(UInt256) COMMENT 'Reserve of the bought token after the swap; null if the pool does not log it.' CODEC(ZSTD(1)),
    referral String COMMENT 'Referrer; of Blum, a text.' CODEC(ZSTD(1)),
    query_id Nullable(UInt64) COMMENT 'Number that the sender gave; null if the exchange does not pass it on.' CODEC(ZSTD(1)),
    platform_tag LowCardinality(String) COMMENT 'Platform that brought the trader, as ton.fun logs it.' CODEC(ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_pool pool TYPE bloom_filter GRANULARITY 1,
    INDEX by_trader trader TYPE bloom_filter GRANULARITY 1,
    INDEX by_sold sold TYPE bloom_filter GRANULARITY 1,
    INDEX by_bought bought TYPE bloom_filter GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter GRANULARITY 1,
    INDEX by_trace_id trace_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (time, lt, pool)
SETTINGS index_granularity = 1024
COMMENT 'Swaps at exchanges, one row a pool; trades and launches of launchpads.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.trades_mv{cluster} TO {db}.trades AS
SELECT * EXCEPT (tx_hash, trace_id, trader, sold, bought), base64Encode(l.tx_hash) AS tx_hash, base64Encode(l.trace_id) AS trace_id,
    nullIf(l.trader, '') AS trader, nullIf(l.sold, '') AS sold, nullIf(l.bought, '') AS bought
FROM {db}.land_trades AS l;

-- Contracts that paid by order of a pool, by which the pools of an exchange are known.
CREATE TABLE IF NOT EXISTS {db}.pool_payers{cluster}
(
    project LowCardinality(String) COMMENT 'Exchange or launchpad: ston.fi, dedust …' CODEC(ZSTD(1)),
    payer String COMMENT 'Contract that paid the trader, a vault or a router: the pools of an exchange are known by it.' CODEC(ZSTD(1)),
    pool String COMMENT 'Pool; of a launchpad, the jetton master.' CODEC(ZSTD(1))
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY (project, payer, pool)
SETTINGS index_granularity = 256
COMMENT 'Contracts that paid by order of a pool: the pools of an exchange are known by them.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.pool_payers_mv{cluster} TO {db}.pool_payers AS
SELECT DISTINCT project, payer, pool
FROM {db}.land_trades
WHERE payer != '';

-- Events of NFT items. Payloads are bags of cells.
CREATE TABLE IF NOT EXISTS {db}.nft_events{cluster}
(
    time UInt32 COMMENT 'Time of the event, Unix seconds.' CODEC(Delta, ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the event.' CODEC(Delta, ZSTD(1)),
    item String COMMENT 'The item.' CODEC(ZSTD(1)),
    type LowCardinality(String) COMMENT 'mint, put_on_sale, cancel_sale, sale, transfer or bid.' CODEC(ZSTD(1)),
    tx_hash String COMMENT 'Hash of the item\'s last transaction in the event; of a bid, of the auction\'s.' CODEC(ZSTD(1)),
    trace_id String COMMENT 'Trace of the event.' CODEC(ZSTD(1)),
    is_init Bool COMMENT 'True if the item is initialised.' CODEC(ZSTD(1)),
    item_index Nullable(UInt256) COMMENT 'Index in the collection, decimal text.' CODEC(ZSTD(1)),
    collection Nullable(String) COMMENT 'Collection; null without one.' CODEC(ZSTD(1)),
    owner Nullable(String) COMMENT 'Owner after the event; of a listing, its seller.' CODEC(ZSTD(1)),
    content String COMMENT 'Content on the chain, JSON text.' CODEC(ZSTD(3)),
    prev_owner Nullable(String) COMMENT 'Deployer of a mint, seller of a sale, previous owner of a transfer, bidder of a bid; null for listings.' CODEC(ZSTD(1)),
    query_id Nullable(UInt64) COMMENT 'Number that the sender of a transfer gave.' CODEC(ZSTD(1)),
    forward_amount Nullable(UInt128) COMMENT 'Value that a transfer forwarded, nanotons.' CODEC(ZSTD(1)),
    forward_payload String COMMENT 'Forward payload as raw bytes of a bag of cells.' CODEC(ZSTD(1)),
    comment String COMMENT 'Text comment of the forward payload.' CODEC(ZSTD(1)),
    custom_payload String COMMENT 'Custom payload as raw bytes of a bag of cells.' CODEC(ZSTD(1)),
    contract Nullable(String) COMMENT 'Sale or auction; the item itself for names and usernames.' CODEC(ZSTD(1)),
    sale_type LowCardinality(String) COMMENT 'sale or auction.' CODEC(ZSTD(1)),
    end_time Nullable(UInt32) COMMENT 'End of an auction, Unix seconds.' CODEC(ZSTD(1)),
    marketplace LowCardinality(String) COMMENT 'Marketplace.' CODEC(ZSTD(1)),
    fee_address LowCardinality(String) COMMENT 'Receiver of its fee.' CODEC(ZSTD(1)),
    fee Nullable(UInt128) COMMENT 'Its fee, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose fee is a share.' CODEC(ZSTD(1)),
    price Nullable(UInt128) COMMENT 'Price of a sale or listing, or the bid, nanotons.' CODEC(ZSTD(1)),
    royalty_address String COMMENT 'Receiver of the royalty.' CODEC(ZSTD(1)),
    royalty Nullable(UInt128) COMMENT 'Royalty, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose royalty is a share.' CODEC(ZSTD(1)),
    max_bid Nullable(UInt128) COMMENT 'Bid that ends an auction, nanotons.' CODEC(ZSTD(1)),
    min_bid Nullable(UInt128) COMMENT 'Lowest first bid, nanotons.' CODEC(ZSTD(1)),
    min_step Nullable(UInt128) COMMENT 'Lowest step between bids, per cent.' CODEC(ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_type type TYPE set(10) GRANULARITY 1,
    INDEX by_item item TYPE bloom_filter GRANULARITY 1,
    INDEX by_collection collection TYPE bloom_filter GRANULARITY 1,
    INDEX by_owner owner TYPE bloom_filter GRANULARITY 1,
    INDEX by_prev_owner prev_owner TYPE bloom_filter GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter GRANULARITY 1,
    INDEX by_contract contract TYPE bloom_filter GRANULARITY 1,
    INDEX by_trace_id trace_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (time, lt, item)
SETTINGS index_granularity = 1024
COMMENT 'Events of NFT items.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.nft_events_mv{cluster} TO {db}.nft_events AS
SELECT * EXCEPT (tx_hash, trace_id, collection, owner, prev_owner, contract), base64Encode(l.tx_hash) AS tx_hash, base64Encode(l.trace_id) AS trace_id,
    nullIf(l.collection, '') AS collection, nullIf(l.owner, '') AS owner, nullIf(l.prev_owner, '') AS prev_owner, nullIf(l.contract, '') AS contract
FROM {db}.land_nft_events AS l;
