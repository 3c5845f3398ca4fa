-- Where a block is, by its id: (workchain, shard, seqno) -> mc_seqno.
CREATE TABLE IF NOT EXISTS {db}.blocks_by_id{cluster}
(
    workchain Int32 COMMENT 'Workchain of the block; -1 is the masterchain.',
    seqno UInt32 COMMENT 'Seqno in the shard.' CODEC(Delta, ZSTD(1)),
    shard UInt64 COMMENT 'Shard prefix with its end bit.',
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1)),
    root_hash FixedString(32) COMMENT 'Hash of the block\'s root cell.',
    file_hash FixedString(32) COMMENT 'SHA-256 of the block\'s bytes.',
    start_lt UInt64 COMMENT 'Logical time at which the block starts.' CODEC(Delta, ZSTD(1)),
    end_lt UInt64 COMMENT 'Logical time at which the block ends.' CODEC(Delta, ZSTD(1)),
    tx_count UInt32 COMMENT 'Transactions in the block.'
)
ENGINE = {engine:MergeTree}
ORDER BY (workchain, seqno, shard)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Blocks by id.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.blocks_by_id_mv{cluster} TO {db}.blocks_by_id AS
SELECT workchain, seqno, shard, mc_seqno, root_hash, file_hash, start_lt, end_lt, tx_count
FROM {db}.land_blocks;

-- Blocks in the order of their generation time; tx_count bounds the lists of transactions that are sorted by time.
CREATE TABLE IF NOT EXISTS {db}.blocks_by_time{cluster}
(
    gen_utime UInt32 COMMENT 'Time of the block, Unix seconds.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the block; -1 is the masterchain.',
    shard UInt64 COMMENT 'Shard prefix with its end bit.',
    seqno UInt32 COMMENT 'Seqno in the shard.',
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1)),
    start_lt UInt64 COMMENT 'Logical time at which the block starts.' CODEC(Delta, ZSTD(1)),
    end_lt UInt64 COMMENT 'Logical time at which the block ends.' CODEC(Delta, ZSTD(1)),
    tx_count UInt32 COMMENT 'Transactions in the block.',
    INDEX by_start_lt start_lt TYPE minmax GRANULARITY 1,
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (gen_utime, workchain, shard, seqno)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Blocks by generation time; tx_count bounds lists of transactions by time.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.blocks_by_time_mv{cluster} TO {db}.blocks_by_time AS
SELECT gen_utime, workchain, shard, seqno, mc_seqno, start_lt, end_lt, tx_count
FROM {db}.land_blocks;

-- Blocks by the logical time that they end at: lookupBlock by lt reads forward from it.
CREATE TABLE IF NOT EXISTS {db}.blocks_by_lt{cluster}
(
    workchain Int32 COMMENT 'Workchain of the block; -1 is the masterchain.',
    end_lt UInt64 COMMENT 'Logical time at which the block ends.' CODEC(Delta, ZSTD(1)),
    shard UInt64 COMMENT 'Shard prefix with its end bit.',
    seqno UInt32 COMMENT 'Seqno in the shard.',
    start_lt UInt64 COMMENT 'Logical time at which the block starts.' CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1)),
    root_hash FixedString(32) COMMENT 'Hash of the block\'s root cell.',
    file_hash FixedString(32) COMMENT 'SHA-256 of the block\'s bytes.'
)
ENGINE = {engine:MergeTree}
ORDER BY (workchain, end_lt, shard, seqno)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Blocks by the logical time at which they end.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.blocks_by_lt_mv{cluster} TO {db}.blocks_by_lt AS
SELECT workchain, end_lt, shard, seqno, start_lt, mc_seqno, root_hash, file_hash
FROM {db}.land_blocks;

-- Root and file hashes of blocks. hash8: the first 8 bytes of a hash as a big-endian number, so that its order is
-- the order of the hash; the reader compares the whole hash in the table that the row points to.
CREATE TABLE IF NOT EXISTS {db}.block_hashes{cluster}
(
    hash8 UInt64 COMMENT 'First 8 bytes of arrayJoin([root_hash, file_hash]) as a number, most significant first.',
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.',
    workchain Int32 COMMENT 'Workchain of the block; -1 is the masterchain.',
    shard UInt64 COMMENT 'Shard prefix with its end bit.',
    seqno UInt32 COMMENT 'Seqno in the shard.'
)
ENGINE = {engine:MergeTree}
ORDER BY hash8
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Root and file hashes of blocks.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.block_hashes_mv{cluster} TO {db}.block_hashes AS
SELECT
    reinterpretAsUInt64(reverse(substring(arrayJoin([root_hash, file_hash]), 1, 8))) AS hash8,
    mc_seqno, workchain, shard, seqno
FROM {db}.land_blocks;
