-- Transaction hash -> lt, where the whole row is found by (lt, hash8). Blocks of 4 KiB: hashes stand by no order that a reader
-- knows, so that each key decompresses a block of its own.
CREATE TABLE IF NOT EXISTS {db}.transaction_hashes{cluster}
(
    hash8 UInt64 COMMENT 'First 8 bytes of hash as a number, most significant first.',
    lt UInt64 COMMENT 'Logical time of the transaction.' CODEC(ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY hash8
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'Transaction hash → lt. Hashes have no order, so each key decompresses a block of its own.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.transaction_hashes_mv{cluster} TO {db}.transaction_hashes AS
SELECT reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8, lt, mc_seqno
FROM {db}.land_transactions;
