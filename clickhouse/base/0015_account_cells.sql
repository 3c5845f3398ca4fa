-- The Account cell as it stands in each block, pruned branches included: what the block itself says of code and data.
CREATE TABLE IF NOT EXISTS {db}.account_cells{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    workchain Int32,
    account FixedString(32),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    hash FixedString(32),
    whole Bool,
    boc String CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt, hash)
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.account_cells_mv{cluster} TO {db}.account_cells AS
SELECT * FROM {db}.land_account_cells;
