-- The blocks themselves: v2 `data` is sliced from them, and decoding can be replayed from them.
-- Small granules, so that one block is read without its neighbours. LZ4: a merge compresses every byte again, and
-- ZSTD(3) takes a tenth fewer bytes for three times the time (docs/decisions/0027-store-layout.md). A block gains nothing by
-- standing in a larger part: what a merge would make larger than 256 MiB stays as it is.
CREATE TABLE IF NOT EXISTS {db}.raw_blocks{cluster}
(
    mc_seqno UInt32,
    workchain Int32,
    shard UInt64,
    seqno UInt32,
    root_hash FixedString(32),
    file_hash FixedString(32),
    boc String CODEC(LZ4)
)
ENGINE = {engine:MergeTree}
PARTITION BY intDiv(mc_seqno, {epoch_size})
ORDER BY (mc_seqno, workchain, shard, seqno)
SETTINGS index_granularity = 64, index_granularity_bytes = 262144, min_index_granularity_bytes = 1024, merge_selector_base = 20, max_bytes_to_merge_at_max_space_in_pool = 268435456;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.raw_blocks_mv{cluster} TO {db}.raw_blocks AS
SELECT * FROM {db}.land_raw_blocks;
