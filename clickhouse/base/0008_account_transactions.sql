-- The same transactions clustered by account: an account's page is one contiguous read. Only what filters and answers
-- need; the typed columns of every transaction are in `transactions`. Made from the rows of `transaction_payloads`.
-- Most accounts have a few rows: granules and blocks are small.
CREATE TABLE IF NOT EXISTS {db}.account_transactions{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    shard UInt64 CODEC(ZSTD(1)),
    seqno UInt32 CODEC(Delta, ZSTD(1)),
    account FixedString(32) CODEC(LZ4),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    now UInt32 CODEC(Delta, ZSTD(1)),
    payload String CODEC(ZSTD(1)),
    details String ALIAS substring(payload, 206, reinterpretAsUInt32(substring(payload, 202, 4))),
    states String ALIAS substring(payload, 210 + length(details), reinterpretAsUInt32(substring(payload, 206 + length(details), 4))),
    messages String ALIAS substring(payload, 210 + length(details) + length(states)),
    hash FixedString(32) ALIAS toFixedString(substring(payload, 2, 32), 32),
    prev_trans_hash FixedString(32) ALIAS toFixedString(substring(payload, 34, 32), 32),
    prev_trans_lt UInt64 ALIAS reinterpretAsUInt64(substring(payload, 170, 8)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_now now TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 128, min_compress_block_size = 4096, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.account_transactions_mv{cluster} TO {db}.account_transactions AS
SELECT mc_seqno, workchain, shard, seqno, toFixedString(substring(payload, 130, 32), 32) AS account, lt, now, payload
FROM {db}.transaction_payloads;
