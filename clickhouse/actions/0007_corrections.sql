-- Corrections of traces, a row for each token of `undetected_tokens` with an outcome. `state`: 0
-- begun, 1 the actions are as before, 2 corrected. A repeated row changes nothing, and a later state replaces an earlier one.
-- `at`: when the row was written; streams and webhooks send corrected traces in this order.
CREATE TABLE IF NOT EXISTS {db}.corrections{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    trace_id FixedString(32) CODEC(LZ4),
    account FixedString(32) CODEC(LZ4),
    workchain Int32 CODEC(ZSTD(1)),
    state UInt8 CODEC(ZSTD(1)),
    at DateTime64(3) DEFAULT now64(3) CODEC(Delta, ZSTD(1)),
    INDEX by_at at TYPE minmax GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(state)}
ORDER BY (mc_seqno, trace_id, account, workchain)
SETTINGS index_granularity = 1024;
