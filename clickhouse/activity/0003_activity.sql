-- An account behind each masterchain step in which it had transactions: what it did from its first transaction on, and
-- when that was. The newest row of an account at or below a step says how it stood there.
CREATE TABLE IF NOT EXISTS {db}.activity{cluster}
(
    mc_seqno UInt32 CODEC(Delta, LZ4),
    part UInt16 CODEC(LZ4),
    workchain Int32 CODEC(LZ4),
    account FixedString(32) CODEC(LZ4),
    first_utime UInt32 CODEC(LZ4),
    first_lt UInt64 CODEC(LZ4),
    last_utime UInt32 CODEC(Delta, LZ4),
    last_lt UInt64 CODEC(Delta, LZ4),
    transactions UInt64 CODEC(LZ4),
    aborted UInt64 CODEC(LZ4),
    messages_in UInt64 CODEC(LZ4),
    messages_out UInt64 CODEC(LZ4),
    fees UInt128 CODEC(LZ4)
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, mc_seqno)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.activity_mv{cluster} TO {db}.activity AS
SELECT * FROM {db}.land_activity;
