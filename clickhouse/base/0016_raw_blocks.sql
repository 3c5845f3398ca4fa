-- The blocks themselves: v2 `data` is sliced from them, and decoding can be replayed from them.
-- Small granules, so that one block is read without its neighbours. LZ4: a merge compresses every byte again, and
-- ZSTD(3) takes a tenth fewer bytes for three times the time (docs/decisions/0027-store-layout.md). A block gains nothing by
-- standing in a larger part: what a merge would make larger than 256 MiB stays as it is.
CREATE TABLE IF NOT EXISTS {db}.raw_blocks{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.',
    workchain Int32 COMMENT 'Workchain of the block; -1 is the masterchain.',
    shard UInt64 COMMENT 'Shard prefix with its end bit.',
    seqno UInt32 COMMENT 'Seqno in the shard.',
    root_hash FixedString(32) COMMENT 'Hash of the block\'s root cell.',
    file_hash FixedString(32) COMMENT 'SHA-256 of the block\'s bytes.',
    boc String COMMENT 'The block\'s bytes.' CODEC(LZ4)
)
ENGINE = {engine:MergeTree}
PARTITION BY intDiv(mc_seqno, {epoch_size})
ORDER BY (mc_seqno, workchain, shard, seqno)
SETTINGS index_granularity = 64, index_granularity_bytes = 262144, min_index_granularity_bytes = 1024, merge_selector_base = 20, max_bytes_to_merge_at_max_space_in_pool = 268435456
COMMENT 'The bytes of blocks as they were captured.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.raw_blocks_mv{cluster} TO {db}.raw_blocks AS
SELECT * FROM {db}.land_raw_blocks;
