-- The same transactions clustered by account: an account's page is one contiguous read. Only what filters and answers
-- need; the typed columns of every transaction are in `transactions`, whose rows these are made from.
CREATE TABLE IF NOT EXISTS {db}.account_transactions{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    shard UInt64 CODEC(ZSTD(1)),
    seqno UInt32 CODEC(Delta, ZSTD(1)),
    account FixedString(32) CODEC(LZ4),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    hash FixedString(32) CODEC(LZ4),
    now UInt32 CODEC(Delta, ZSTD(1)),
    answer String CODEC(ZSTD(1)),
    details String ALIAS substring(answer, 205, reinterpretAsUInt32(substring(answer, 201, 4))),
    states String ALIAS substring(answer, 209 + length(details), reinterpretAsUInt32(substring(answer, 205 + length(details), 4))),
    messages String ALIAS substring(answer, 209 + length(details) + length(states)),
    prev_trans_hash FixedString(32) ALIAS toFixedString(substring(answer, 33, 32), 32),
    prev_trans_lt UInt64 ALIAS reinterpretAsUInt64(substring(answer, 169, 8)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_now now TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.account_transactions_mv{cluster} TO {db}.account_transactions AS
SELECT mc_seqno, workchain, shard, seqno, account, lt, hash, now, answer
FROM {db}.transactions;
