-- The last balance of an account on each day that changed it. Merging keeps the newest row of a day.
CREATE TABLE IF NOT EXISTS {db}.balance_days{cluster}
(
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    day Date COMMENT 'Day of the transaction, UTC.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before this state (ShardAccount.last_trans_lt).' CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1)),
    balance UInt128 COMMENT 'Balance, nanotons.' CODEC(ZSTD(1)),
    INDEX by_account concat(toString(workchain), ':', hex(account)) TYPE minmax GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, day)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'The last balance of an account on each day that changed it. Merging keeps the newest row of a day.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.balance_days_mv{cluster} TO {db}.balance_days AS
SELECT
    account,
    workchain,
    toDate(toDateTime(now, 'UTC')) AS day,
    lt,
    mc_seqno,
    balance
FROM {db}.land_account_states
WHERE origin = 'block';
