-- Corrections of traces, a row for each token of `undetected_tokens` with an outcome. `state`: 0
-- begun, 1 the actions are as before, 2 corrected. A repeated row changes nothing, and a later state replaces an earlier one.
-- `at`: when the row was written; streams and webhooks send corrected traces in this order.
CREATE TABLE IF NOT EXISTS {db}.corrections{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that completed the trace.' CODEC(Delta, ZSTD(1)),
    trace_id FixedString(32) COMMENT 'Hash of the first transaction of the trace.' CODEC(LZ4),
    account FixedString(32) COMMENT 'Account id of the token.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the token.' CODEC(ZSTD(1)),
    state UInt8 COMMENT '0 begun, 1 nothing changed, 2 corrected.' CODEC(ZSTD(1)),
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.' CODEC(Delta, ZSTD(1)),
    INDEX by_at at TYPE minmax GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(state)}
ORDER BY (mc_seqno, trace_id, account, workchain)
SETTINGS index_granularity = 1024
COMMENT 'Corrections of traces, a row for each detected token. A later state replaces an earlier one.';
