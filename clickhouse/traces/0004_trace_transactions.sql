-- The transactions of each trace, by lt. depth: how many messages lie between the first transaction and this one.
CREATE TABLE IF NOT EXISTS {db}.trace_transactions{cluster}
(
    start_lt UInt64 CODEC(Delta, ZSTD(1)),
    trace8 UInt64 CODEC(LZ4),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    account FixedString(32) CODEC(LZ4),
    workchain Int32 CODEC(ZSTD(1)),
    depth UInt32 CODEC(ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (start_lt, trace8, lt, account)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.trace_transactions_mv{cluster} TO {db}.trace_transactions AS
SELECT start_lt, trace8, lt, account, workchain, depth, mc_seqno FROM {db}.land_trace_transactions;

-- Transaction -> its trace: a page of transactions, and the traces of an account, are read here.
CREATE TABLE IF NOT EXISTS {db}.transaction_traces{cluster}
(
    account FixedString(32) CODEC(LZ4),
    workchain Int32 CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    start_lt UInt64 CODEC(Delta, ZSTD(1)),
    trace8 UInt64 CODEC(LZ4),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.transaction_traces_mv{cluster} TO {db}.transaction_traces AS
SELECT account, workchain, lt, start_lt, trace8, mc_seqno FROM {db}.land_trace_transactions;
