-- Landing table of tokens that were not detected when their trace was classified.
CREATE TABLE IF NOT EXISTS {db}.land_undetected_tokens{cluster}
(
    mc_seqno UInt32,
    trace_id FixedString(32),
    workchain Int32,
    account FixedString(32),
    lt UInt64
)
ENGINE = Null;

-- Tokens without an outcome of `detections` when their trace was classified. `lt`: last transaction of the token up to the step. An
-- outcome for this state or a later one corrects the trace.
CREATE TABLE IF NOT EXISTS {db}.undetected_tokens{cluster}
(
    account FixedString(32) CODEC(LZ4),
    workchain Int32 CODEC(ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    trace_id FixedString(32) CODEC(LZ4),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, mc_seqno, trace_id)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.undetected_tokens_mv{cluster} TO {db}.undetected_tokens AS
SELECT account, workchain, mc_seqno, trace_id, lt FROM {db}.land_undetected_tokens;
