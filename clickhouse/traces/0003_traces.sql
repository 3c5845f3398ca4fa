-- A trace behind each masterchain step that changed it. Its newest row at or below a step says how it stood there. The
-- key is the first transaction's lt and hash, so that rows come in the order of the table. Times are Unix seconds.
-- `part`: the projection has one partition.
CREATE TABLE IF NOT EXISTS {db}.traces{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    trace_id FixedString(32) COMMENT 'Hash of the first transaction.' CODEC(LZ4),
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.' CODEC(LZ4),
    external_hash FixedString(32) COMMENT 'Hash of the message that began the trace; zeros for none.' CODEC(LZ4),
    external_hash_norm FixedString(32) COMMENT 'Normalised hash of that message; zeros for none.' CODEC(LZ4),
    state Enum8('pending' = 0, 'complete' = 1, 'broken' = 2) COMMENT 'Whether messages of the trace are on their way. A broken trace waits for too long.' CODEC(ZSTD(1)),
    mc_seqno_start UInt32 COMMENT 'Masterchain step of the first transaction.' CODEC(Delta, ZSTD(1)),
    start_lt UInt64 COMMENT 'Logical time of the first transaction of the trace.' CODEC(Delta, ZSTD(1)),
    start_utime UInt32 COMMENT 'Time of the first transaction, Unix seconds.' CODEC(Delta, ZSTD(1)),
    mc_seqno_end UInt32 COMMENT 'Masterchain step of the last transaction.' CODEC(Delta, ZSTD(1)),
    end_lt UInt64 COMMENT 'Logical time of the last transaction.' CODEC(Delta, ZSTD(1)),
    end_utime UInt32 COMMENT 'Time of the last transaction, Unix seconds.' CODEC(Delta, ZSTD(1)),
    messages UInt32 COMMENT 'Messages of the trace.' CODEC(ZSTD(1)),
    transactions UInt32 COMMENT 'Transactions of the trace.' CODEC(ZSTD(1)),
    pending_messages UInt32 COMMENT 'Messages that no transaction has received yet.' CODEC(ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (start_lt, trace8, mc_seqno)
SETTINGS index_granularity = 1024
COMMENT 'A trace after a masterchain step that changed it. Its key is (start_lt, trace8).';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.traces_mv{cluster} TO {db}.traces AS
SELECT * FROM {db}.land_traces;

-- The same rows in the order of their end: lists of traces begin here.
CREATE TABLE IF NOT EXISTS {db}.traces_by_end{cluster}
(
    end_lt UInt64 COMMENT 'Logical time of the last transaction.' CODEC(Delta, ZSTD(1)),
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.' CODEC(LZ4),
    start_lt UInt64 COMMENT 'Logical time of the first transaction of the trace.' CODEC(Delta, ZSTD(1)),
    end_utime UInt32 COMMENT 'Time of the last transaction, Unix seconds.' CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1)),
    INDEX by_end_utime end_utime TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (end_lt, trace8, mc_seqno)
SETTINGS index_granularity = 1024
COMMENT 'The same rows by the end of the trace.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.traces_by_end_mv{cluster} TO {db}.traces_by_end AS
SELECT end_lt, trace8, start_lt, end_utime, mc_seqno FROM {db}.land_traces;
