-- Corrections of `actions` after which the rows of their steps were made again, a row for each token. `state`: 0 begun, 1 the
-- step has no rows here, 2 made again. A repeated row changes nothing, and a later state replaces an earlier one.
CREATE TABLE IF NOT EXISTS {db}.corrections{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    trace_id FixedString(32) CODEC(LZ4),
    account FixedString(32) CODEC(LZ4),
    workchain Int32 CODEC(ZSTD(1)),
    state UInt8 CODEC(ZSTD(1))
)
ENGINE = {engine:ReplacingMergeTree(state)}
ORDER BY (mc_seqno, trace_id, account, workchain)
SETTINGS index_granularity = 1024;
