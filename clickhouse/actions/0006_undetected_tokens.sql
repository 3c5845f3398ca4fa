-- Landing table of tokens that were not detected when their trace was classified.
CREATE TABLE IF NOT EXISTS {db}.land_undetected_tokens{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    trace_id FixedString(32) COMMENT 'Hash of the first transaction of the trace.',
    workchain Int32 COMMENT 'Workchain of the token.',
    account FixedString(32) COMMENT 'Account id of the token.',
    lt UInt64 COMMENT 'Logical time of the last transaction of the token up to the step.'
)
ENGINE = Null
COMMENT 'Tokens that were not detected when their trace was classified. A later detection corrects the trace.';

-- Tokens without an outcome of `detections` when their trace was classified. `lt`: last transaction of the token up to the step. An
-- outcome for this state or a later one corrects the trace.
CREATE TABLE IF NOT EXISTS {db}.undetected_tokens{cluster}
(
    account FixedString(32) COMMENT 'Account id of the token.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the token.' CODEC(ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    trace_id FixedString(32) COMMENT 'Hash of the first transaction of the trace.' CODEC(LZ4),
    lt UInt64 COMMENT 'Logical time of the last transaction of the token up to the step.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, mc_seqno, trace_id)
SETTINGS index_granularity = 1024
COMMENT 'Tokens that were not detected when their trace was classified. A later detection corrects the trace.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.undetected_tokens_mv{cluster} TO {db}.undetected_tokens AS
SELECT account, workchain, mc_seqno, trace_id, lt FROM {db}.land_undetected_tokens;
