-- Sales, auctions and items of Telegram under codes whose data cannot be read as it stands, as their get methods say. A row for each
-- kind that the code has a method of; `reason`: why the account is none of that kind, empty where it is one. The newest state of an
-- account counts. `details`: JSON by the names of answers. Keys of `owner` find what a seller sells.
CREATE TABLE IF NOT EXISTS {db}.detected_contracts{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(LZ4),
    kind LowCardinality(String),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) CODEC(LZ4),
    data_hash FixedString(32) CODEC(LZ4),
    reason LowCardinality(String),
    has_owner Bool,
    owner_workchain Int32 CODEC(ZSTD(1)),
    owner FixedString(32) CODEC(LZ4),
    has_parent Bool,
    parent_workchain Int32 CODEC(ZSTD(1)),
    parent FixedString(32) CODEC(LZ4),
    details String CODEC(ZSTD(3)),
    INDEX owners owner TYPE bloom_filter GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, kind)
SETTINGS index_granularity = 1024;
