-- The newest state of every account. Merging keeps one row an account, so a reader takes argMax over a handful.
-- Blocks of 4 KiB, since rows are read one by one.
CREATE TABLE IF NOT EXISTS {db}.accounts_latest{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(LZ4),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    last_trans_hash FixedString(32) CODEC(LZ4),
    hash FixedString(32) CODEC(LZ4),
    status Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3) CODEC(ZSTD(1)),
    balance UInt128 CODEC(ZSTD(1)),
    extra Map(UInt32, UInt256) CODEC(ZSTD(3)),
    code_hash FixedString(32) CODEC(LZ4),
    data_hash FixedString(32) CODEC(LZ4),
    frozen_hash FixedString(32) CODEC(LZ4),
    last_paid UInt32 CODEC(Delta, ZSTD(1)),
    due_payment Nullable(UInt128) CODEC(ZSTD(1)),
    storage_cells UInt64 CODEC(ZSTD(1)),
    storage_bits UInt64 CODEC(ZSTD(1)),
    has_prev Bool CODEC(ZSTD(1)),
    prev_lt UInt64 CODEC(Delta, ZSTD(1)),
    prev_balance UInt128 CODEC(ZSTD(1)),
    origin Enum8('block' = 0, 'before' = 1, 'state' = 2) CODEC(ZSTD(1))
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain)
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.accounts_latest_mv{cluster} TO {db}.accounts_latest AS
SELECT * FROM {db}.land_account_states;
