-- Messages to accounts that were on their way when the masterchain step which sent them ended, and their traces: with
-- the newest rows of `traces` the state that the projection carries. Rows stay when the message has arrived.
CREATE TABLE IF NOT EXISTS {db}.messages_in_flight{cluster}
(
    created_lt UInt64 COMMENT 'Logical time of the message.' CODEC(Delta, ZSTD(1)),
    hash8 UInt64 COMMENT 'First 8 bytes of its hash as a number, most significant first.' CODEC(LZ4),
    start_lt UInt64 COMMENT 'Logical time of the first transaction of the trace.' CODEC(Delta, ZSTD(1)),
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.' CODEC(LZ4),
    depth UInt32 COMMENT 'Depth of the transaction that receives it.' CODEC(ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (created_lt, hash8)
SETTINGS index_granularity = 1024
COMMENT 'A message to an account that its step did not deliver.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.messages_in_flight_mv{cluster} TO {db}.messages_in_flight AS
SELECT created_lt, hash8, start_lt, trace8, depth, mc_seqno FROM {db}.land_messages_in_flight;

-- How many traces each masterchain step began, completed and found broken (-1: one that was is
-- complete now); the rest of those begun is open.
CREATE TABLE IF NOT EXISTS {db}.trace_steps{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    begun UInt32 COMMENT 'Traces that began.' CODEC(ZSTD(1)),
    completed UInt32 COMMENT 'Traces that are complete.' CODEC(ZSTD(1)),
    broken Int32 COMMENT 'Traces found broken; -1 for one that was, and is complete now.' CODEC(ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY mc_seqno
SETTINGS index_granularity = 8192
COMMENT 'How many traces a masterchain step began and ended.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.trace_steps_mv{cluster} TO {db}.trace_steps AS
SELECT mc_seqno, begun, completed, broken FROM {db}.land_trace_steps;
