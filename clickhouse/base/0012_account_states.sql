-- Account states in time: the state after the account's last transaction in each block.
CREATE TABLE IF NOT EXISTS {db}.account_states{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    lt UInt64 COMMENT 'Logical time of the last transaction before this state (ShardAccount.last_trans_lt).' CODEC(Delta, ZSTD(1)),
    now UInt32 COMMENT 'Time of that transaction, Unix seconds; 0 if the block does not contain it.' CODEC(Delta, ZSTD(1)),
    last_trans_hash FixedString(32) COMMENT 'Hash of that transaction.' CODEC(LZ4),
    hash FixedString(32) COMMENT 'Level-0 hash of the Account cell.' CODEC(LZ4),
    status Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3) COMMENT 'Status of the account.' CODEC(ZSTD(1)),
    balance UInt128 COMMENT 'Balance, nanotons.' CODEC(ZSTD(1)),
    extra Map(UInt32, UInt256) COMMENT 'Balance in extra currencies, amount by id.' CODEC(ZSTD(3)),
    code_hash FixedString(32) COMMENT 'Hash of the code; zeros if it has none.' CODEC(LZ4),
    data_hash FixedString(32) COMMENT 'Hash of the data; zeros if it has none.' CODEC(LZ4),
    frozen_hash FixedString(32) COMMENT 'Hash of the frozen state; zeros if it is not frozen.' CODEC(LZ4),
    last_paid UInt32 COMMENT 'Time of the last storage payment, Unix seconds.' CODEC(Delta, ZSTD(1)),
    due_payment Nullable(UInt128) COMMENT 'Storage fee that the account owes, nanotons; NULL if none.' CODEC(ZSTD(1)),
    storage_cells UInt64 COMMENT 'Cells that the account is charged for.' CODEC(ZSTD(1)),
    storage_bits UInt64 COMMENT 'Bits that the account is charged for.' CODEC(ZSTD(1)),
    has_prev Bool COMMENT 'The old side of the state update shows the state that this one replaces.' CODEC(ZSTD(1)),
    prev_lt UInt64 COMMENT 'Logical time of the last transaction before the replaced state. Above 0 if that state existed, even without has_prev.' CODEC(Delta, ZSTD(1)),
    prev_balance UInt128 COMMENT 'Balance of the replaced state, nanotons. Without has_prev it follows from the block\'s transactions: new balance + fees + sent - received.' CODEC(ZSTD(1)),
    origin Enum8('block' = 0, 'before' = 1, 'state' = 2) COMMENT '\'block\': after a transaction. \'before\': the old side of an update, at the start of the index. \'state\': from a given state.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_account concat(toString(workchain), ':', hex(account)) TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'One row per account and block: its state after its last transaction in the block. Rule: Account and ShardAccount of block.tlb.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.account_states_mv{cluster} TO {db}.account_states AS
SELECT * FROM {db}.land_account_states;
