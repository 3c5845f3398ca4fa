-- Balances after each block, in the order of time: the balances of a day are one read.
CREATE TABLE IF NOT EXISTS {db}.balances_by_time{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1)),
    now UInt32 COMMENT 'Time of that transaction, Unix seconds; 0 if the block does not contain it.' CODEC(Delta, ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before this state (ShardAccount.last_trans_lt).' CODEC(Delta, ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    balance UInt128 COMMENT 'Balance, nanotons.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_account concat(toString(workchain), ':', hex(account)) TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (now, lt, account, workchain)
SETTINGS index_granularity = 4096, merge_selector_base = 20
COMMENT 'Balances after the last transaction of an account in a block, in the order of time.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.balances_by_time_mv{cluster} TO {db}.balances_by_time AS
SELECT
    mc_seqno,
    now,
    lt,
    account,
    workchain,
    balance
FROM {db}.land_account_states
WHERE origin = 'block';
