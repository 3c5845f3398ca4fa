-- An account behind each masterchain step in which it had transactions: what it did from its first transaction on, and
-- when that was. The newest row of an account at or below a step says how it stood there.
CREATE TABLE IF NOT EXISTS {db}.activity{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, LZ4),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(LZ4),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    first_utime UInt32 COMMENT 'Time of the first transaction, Unix seconds.' CODEC(LZ4),
    first_lt UInt64 COMMENT 'Logical time of the first transaction.' CODEC(LZ4),
    last_utime UInt32 COMMENT 'Time of the last transaction, Unix seconds.' CODEC(Delta, LZ4),
    last_lt UInt64 COMMENT 'Logical time of the last transaction.' CODEC(Delta, LZ4),
    is_new Bool COMMENT 'The account had no transaction before this step.' CODEC(LZ4),
    new_hours String COMMENT 'Hours since 1970 in which the step has the first transaction of the account in the hour; u32, little endian.' CODEC(LZ4),
    new_days String COMMENT 'Days since 1970 in which the step has the first transaction of the account on the day; u32, little endian.' CODEC(LZ4),
    transactions UInt64 COMMENT 'Transactions.' CODEC(LZ4),
    aborted UInt64 COMMENT 'Aborted transactions.' CODEC(LZ4),
    messages_in UInt64 COMMENT 'Received messages.' CODEC(LZ4),
    messages_out UInt64 COMMENT 'Sent messages.' CODEC(LZ4),
    fees UInt128 COMMENT 'Paid fees, nanotons.' CODEC(LZ4)
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, mc_seqno)
SETTINGS index_granularity = 1024
COMMENT 'What an account did up to a masterchain step that has transactions of it.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.activity_mv{cluster} TO {db}.activity AS
SELECT * FROM {db}.land_activity;
