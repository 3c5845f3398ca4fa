-- The same transactions clustered by account: an account's page is one contiguous read. Only what filters and answers
-- need; the typed columns of every transaction are in `transactions`. Made from the rows of `transaction_payloads`.
-- Most accounts have a few rows: granules and blocks are small.
CREATE TABLE IF NOT EXISTS {db}.account_transactions{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account and of the block.' CODEC(ZSTD(1)),
    shard UInt64 COMMENT 'Shard prefix of the block with its end bit.' CODEC(ZSTD(1)),
    seqno UInt32 COMMENT 'Seqno of the block.' CODEC(Delta, ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    lt UInt64 COMMENT 'Logical time of the transaction.' CODEC(Delta, ZSTD(1)),
    now UInt32 COMMENT 'Time of the transaction, Unix seconds.' CODEC(Delta, ZSTD(1)),
    payload String COMMENT 'All that an answer shows of the transaction, packed.' CODEC(ZSTD(1)),
    details String ALIAS substring(payload, 206, reinterpretAsUInt32(substring(payload, 202, 4))) COMMENT 'The other columns as a row of RowBinary.',
    states String ALIAS substring(payload, 210 + length(details), reinterpretAsUInt32(substring(payload, 206 + length(details), 4))) COMMENT 'The account\'s states before and after, as the block shows them, packed (src/ton/columns/state-pack.ts).',
    messages String ALIAS substring(payload, 210 + length(details) + length(states)) COMMENT 'The transaction\'s messages, packed (src/ton/columns/message-pack.ts).',
    hash FixedString(32) ALIAS toFixedString(substring(payload, 2, 32), 32) COMMENT 'Hash of the transaction\'s cell.',
    prev_trans_hash FixedString(32) ALIAS toFixedString(substring(payload, 34, 32), 32) COMMENT 'Hash of the previous transaction of the account; zeros for the first one.',
    prev_trans_lt UInt64 ALIAS reinterpretAsUInt64(substring(payload, 170, 8)) COMMENT 'Logical time of the previous transaction of the account; 0 for the first one.',
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_now now TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 128, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'The same transactions by account: a page of an account is one contiguous read.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.account_transactions_mv{cluster} TO {db}.account_transactions AS
SELECT mc_seqno, workchain, shard, seqno, toFixedString(substring(payload, 130, 32), 32) AS account, lt, now, payload
FROM {db}.transaction_payloads;
