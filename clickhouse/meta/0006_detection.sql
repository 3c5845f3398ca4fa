-- What get methods said, by code, data, method and arguments: nothing is run twice, whatever version of a projection asks.
-- `arguments`: SHA-256 of the stack. `failure`: why there is no result; empty where there is one.
CREATE TABLE IF NOT EXISTS {db}.method_results{cluster}
(
    code_hash FixedString(32) CODEC(LZ4),
    data_hash FixedString(32) CODEC(LZ4),
    method UInt32,
    arguments FixedString(32) CODEC(LZ4),
    exit_code Int32,
    gas_used UInt64,
    failure String CODEC(ZSTD(1)),
    stack String CODEC(ZSTD(3)),
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY (code_hash, data_hash, method, arguments)
SETTINGS index_granularity = 256;

-- Contracts under codes whose data cannot be read as it stands, as their get methods say. A row for each kind that the code
-- has the method of; `reason`: why the account is none of that kind, empty where it is one. The newest state of an account
-- counts.
CREATE TABLE IF NOT EXISTS {db}.detections{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) CODEC(LZ4),
    data_hash FixedString(32) CODEC(LZ4),
    reason LowCardinality(String),
    amount UInt256 CODEC(ZSTD(1)),
    flag Bool,
    has_owner Bool,
    owner_workchain Int32 CODEC(ZSTD(1)),
    owner FixedString(32) CODEC(LZ4),
    has_parent Bool,
    parent_workchain Int32 CODEC(ZSTD(1)),
    parent FixedString(32) CODEC(LZ4),
    child_code FixedString(32) CODEC(LZ4),
    content String CODEC(ZSTD(3))
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, kind)
SETTINGS index_granularity = 1024;
