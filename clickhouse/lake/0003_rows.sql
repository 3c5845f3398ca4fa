-- Swaps at exchanges, one row a pool. Addresses are raw text, hashes base64, and columns of views are null where they are: an index
-- only serves a filter on the column itself.
-- `payer`: vault or router that paid the trader, by which the pools of an exchange are known. `part`: the projection has one partition.
CREATE TABLE IF NOT EXISTS {db}.trades{cluster}
(
    time UInt32 CODEC(Delta, ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    pool String CODEC(ZSTD(1)),
    tx_hash String CODEC(ZSTD(1)),
    trace_id String CODEC(ZSTD(1)),
    project LowCardinality(String) CODEC(ZSTD(1)),
    version UInt8 CODEC(ZSTD(1)),
    trader Nullable(String) CODEC(ZSTD(1)),
    router LowCardinality(String) CODEC(ZSTD(1)),
    payer String CODEC(ZSTD(1)),
    sold String CODEC(ZSTD(1)),
    bought String CODEC(ZSTD(1)),
    amount_sold UInt256 CODEC(ZSTD(1)),
    amount_bought UInt256 CODEC(ZSTD(1)),
    reserve_sold Nullable(UInt256) CODEC(ZSTD(1)),
    reserve_bought Nullable(UInt256) CODEC(ZSTD(1)),
    referral String CODEC(ZSTD(1)),
    query_id Nullable(UInt64) CODEC(ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1)),
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
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.trades_mv{cluster} TO {db}.trades AS
SELECT * EXCEPT (tx_hash, trace_id, trader), base64Encode(l.tx_hash) AS tx_hash, base64Encode(l.trace_id) AS trace_id,
    nullIf(l.trader, '') AS trader
FROM {db}.land_trades AS l;

-- Contracts that paid by order of a pool, by which the pools of an exchange are known.
CREATE TABLE IF NOT EXISTS {db}.pool_payers{cluster}
(
    project LowCardinality(String) CODEC(ZSTD(1)),
    payer String CODEC(ZSTD(1)),
    pool String CODEC(ZSTD(1))
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY (project, payer, pool)
SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.pool_payers_mv{cluster} TO {db}.pool_payers AS
SELECT DISTINCT project, payer, pool
FROM {db}.land_trades
WHERE payer != '';

-- Events of NFT items. Payloads are bags of cells.
CREATE TABLE IF NOT EXISTS {db}.nft_events{cluster}
(
    time UInt32 CODEC(Delta, ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    item String CODEC(ZSTD(1)),
    type LowCardinality(String) CODEC(ZSTD(1)),
    tx_hash String CODEC(ZSTD(1)),
    trace_id String CODEC(ZSTD(1)),
    is_init Bool CODEC(ZSTD(1)),
    item_index Nullable(UInt256) CODEC(ZSTD(1)),
    collection Nullable(String) CODEC(ZSTD(1)),
    owner Nullable(String) CODEC(ZSTD(1)),
    content String CODEC(ZSTD(3)),
    prev_owner Nullable(String) CODEC(ZSTD(1)),
    query_id Nullable(UInt64) CODEC(ZSTD(1)),
    forward_amount Nullable(UInt128) CODEC(ZSTD(1)),
    forward_payload String CODEC(ZSTD(1)),
    comment String CODEC(ZSTD(1)),
    custom_payload String CODEC(ZSTD(1)),
    contract Nullable(String) CODEC(ZSTD(1)),
    sale_type LowCardinality(String) CODEC(ZSTD(1)),
    end_time Nullable(UInt32) CODEC(ZSTD(1)),
    marketplace LowCardinality(String) CODEC(ZSTD(1)),
    fee_address LowCardinality(String) CODEC(ZSTD(1)),
    fee Nullable(UInt128) CODEC(ZSTD(1)),
    price Nullable(UInt128) CODEC(ZSTD(1)),
    royalty_address String CODEC(ZSTD(1)),
    royalty Nullable(UInt128) CODEC(ZSTD(1)),
    max_bid Nullable(UInt128) CODEC(ZSTD(1)),
    min_bid Nullable(UInt128) CODEC(ZSTD(1)),
    min_step Nullable(UInt128) CODEC(ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1)),
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
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.nft_events_mv{cluster} TO {db}.nft_events AS
SELECT * EXCEPT (tx_hash, trace_id, collection, owner, prev_owner, contract), base64Encode(l.tx_hash) AS tx_hash, base64Encode(l.trace_id) AS trace_id,
    nullIf(l.collection, '') AS collection, nullIf(l.owner, '') AS owner, nullIf(l.prev_owner, '') AS prev_owner, nullIf(l.contract, '') AS contract
FROM {db}.land_nft_events AS l;

-- Jettons that a master minted, by the wallet's transaction.
CREATE TABLE IF NOT EXISTS {db}.mints{cluster}
(
    time UInt32 CODEC(Delta, ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    wallet String CODEC(ZSTD(1)),
    tx_hash String CODEC(ZSTD(1)),
    trace_id String CODEC(ZSTD(1)),
    query_id UInt64 CODEC(ZSTD(1)),
    amount UInt256 CODEC(ZSTD(1)),
    owner Nullable(String) CODEC(ZSTD(1)),
    master String CODEC(ZSTD(1)),
    response String CODEC(ZSTD(1)),
    forward_amount UInt128 CODEC(ZSTD(1)),
    forward_payload String CODEC(ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_owner owner TYPE bloom_filter GRANULARITY 1,
    INDEX by_master master TYPE bloom_filter GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (time, lt, wallet)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.mints_mv{cluster} TO {db}.mints AS
SELECT * EXCEPT (tx_hash, trace_id, owner), base64Encode(l.tx_hash) AS tx_hash, base64Encode(l.trace_id) AS trace_id,
    nullIf(l.owner, '') AS owner
FROM {db}.land_mints AS l;
