-- The transactions of each trace, by lt. depth: how many messages lie between the first transaction and this one.
CREATE TABLE IF NOT EXISTS {db}.trace_transactions{cluster}
(
    start_lt UInt64 COMMENT 'Logical time of the first transaction of the trace.' CODEC(Delta, ZSTD(1)),
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.' CODEC(LZ4),
    lt UInt64 COMMENT 'Logical time of the transaction.' CODEC(Delta, ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    depth UInt32 COMMENT 'Messages between the first transaction and this one.' CODEC(ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (start_lt, trace8, lt, account)
SETTINGS index_granularity = 1024
COMMENT 'A transaction in its trace.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.trace_transactions_mv{cluster} TO {db}.trace_transactions AS
SELECT start_lt, trace8, lt, account, workchain, depth, mc_seqno FROM {db}.land_trace_transactions;

-- Transaction -> its trace: a page of transactions, and the traces of an account, are read here.
CREATE TABLE IF NOT EXISTS {db}.transaction_traces{cluster}
(
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the transaction.' CODEC(Delta, ZSTD(1)),
    start_lt UInt64 COMMENT 'Logical time of the first transaction of the trace.' CODEC(Delta, ZSTD(1)),
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.' CODEC(LZ4),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 1024
COMMENT 'The trace of a transaction.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.transaction_traces_mv{cluster} TO {db}.transaction_traces AS
SELECT account, workchain, lt, start_lt, trace8, mc_seqno FROM {db}.land_trace_transactions;
