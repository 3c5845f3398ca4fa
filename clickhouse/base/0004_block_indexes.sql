-- Where a block is, by its id: (workchain, shard, seqno) -> mc_seqno.
CREATE TABLE IF NOT EXISTS {db}.blocks_by_id{cluster}
(
    workchain Int32,
    seqno UInt32 CODEC(Delta, ZSTD(1)),
    shard UInt64,
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    root_hash FixedString(32),
    file_hash FixedString(32),
    start_lt UInt64 CODEC(Delta, ZSTD(1)),
    end_lt UInt64 CODEC(Delta, ZSTD(1)),
    tx_count UInt32
)
ENGINE = {engine:MergeTree}
ORDER BY (workchain, seqno, shard)
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.blocks_by_id_mv{cluster} TO {db}.blocks_by_id AS
SELECT workchain, seqno, shard, mc_seqno, root_hash, file_hash, start_lt, end_lt, tx_count
FROM {db}.land_blocks;

-- Blocks in the order of their generation time; tx_count bounds the lists of transactions that are sorted by time.
CREATE TABLE IF NOT EXISTS {db}.blocks_by_time{cluster}
(
    gen_utime UInt32 CODEC(Delta, ZSTD(1)),
    workchain Int32,
    shard UInt64,
    seqno UInt32,
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    start_lt UInt64 CODEC(Delta, ZSTD(1)),
    end_lt UInt64 CODEC(Delta, ZSTD(1)),
    tx_count UInt32,
    INDEX by_start_lt start_lt TYPE minmax GRANULARITY 1,
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (gen_utime, workchain, shard, seqno)
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.blocks_by_time_mv{cluster} TO {db}.blocks_by_time AS
SELECT gen_utime, workchain, shard, seqno, mc_seqno, start_lt, end_lt, tx_count
FROM {db}.land_blocks;

-- Blocks by the logical time that they end at: lookupBlock by lt reads forward from it.
CREATE TABLE IF NOT EXISTS {db}.blocks_by_lt{cluster}
(
    workchain Int32,
    end_lt UInt64 CODEC(Delta, ZSTD(1)),
    shard UInt64,
    seqno UInt32,
    start_lt UInt64 CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    root_hash FixedString(32),
    file_hash FixedString(32)
)
ENGINE = {engine:MergeTree}
ORDER BY (workchain, end_lt, shard, seqno)
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.blocks_by_lt_mv{cluster} TO {db}.blocks_by_lt AS
SELECT workchain, end_lt, shard, seqno, start_lt, mc_seqno, root_hash, file_hash
FROM {db}.land_blocks;

-- Root and file hashes of blocks. hash8: the first 8 bytes of a hash as a big-endian number, so that its order is
-- the order of the hash; the reader compares the whole hash in the table that the row points to.
CREATE TABLE IF NOT EXISTS {db}.block_hashes{cluster}
(
    hash8 UInt64,
    mc_seqno UInt32,
    workchain Int32,
    shard UInt64,
    seqno UInt32
)
ENGINE = {engine:MergeTree}
ORDER BY hash8
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.block_hashes_mv{cluster} TO {db}.block_hashes AS
SELECT
    reinterpretAsUInt64(reverse(substring(arrayJoin([root_hash, file_hash]), 1, 8))) AS hash8,
    mc_seqno, workchain, shard, seqno
FROM {db}.land_blocks;
