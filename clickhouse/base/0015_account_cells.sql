-- The Account cell as it stands in each block, pruned branches included: what the block itself says of code and data.
CREATE TABLE IF NOT EXISTS {db}.account_cells{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    lt UInt64 COMMENT 'Logical time of the last transaction before this state.' CODEC(Delta, ZSTD(1)),
    hash FixedString(32) COMMENT 'Level-0 hash of the Account cell.',
    whole Bool COMMENT 'No pruned branch is below the cell.',
    boc String COMMENT 'The cell as a bag of cells.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt, hash)
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'The Account cells of a block, with pruned branches for omitted cells.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.account_cells_mv{cluster} TO {db}.account_cells AS
SELECT * FROM {db}.land_account_cells;
