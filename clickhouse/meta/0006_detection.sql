-- What get methods said, by code, data, method and arguments: nothing is run twice, whatever version of a projection asks.
-- `arguments`: SHA-256 of the stack. `failure`: why there is no result; empty where there is one.
CREATE TABLE IF NOT EXISTS {db}.method_results{cluster}
(
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(LZ4),
    data_hash FixedString(32) COMMENT 'Hash of the data.' CODEC(LZ4),
    method UInt32 COMMENT 'Id of the method.',
    arguments FixedString(32) COMMENT 'SHA-256 of the stack.' CODEC(LZ4),
    exit_code Int32 COMMENT 'Exit code.',
    gas_used UInt64 COMMENT 'Used gas.',
    failure String COMMENT 'Why there is no result; empty if there is one.' CODEC(ZSTD(1)),
    stack String COMMENT 'Results.' CODEC(ZSTD(3)),
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY (code_hash, data_hash, method, arguments)
SETTINGS index_granularity = 256
COMMENT 'Results of get methods in release 0.2.0.';

-- Contracts under codes whose data cannot be read as it stands, as their get methods say. A row for each kind that the code
-- has the method of; `reason`: why the account is none of that kind, empty where it is one. The newest state of an account
-- counts.
CREATE TABLE IF NOT EXISTS {db}.detections{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the state: this one, or an earlier one.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the account was examined for.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.' CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(LZ4),
    data_hash FixedString(32) COMMENT 'Hash of the data.' CODEC(LZ4),
    reason LowCardinality(String) COMMENT 'Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell.',
    amount UInt256 COMMENT 'Supply, balance, next index or index, by kind. Smallest units.' CODEC(ZSTD(1)),
    flag Bool COMMENT 'A master is mintable, an item is initialised.',
    has_owner Bool COMMENT 'There is a admin or owner.',
    owner_workchain Int32 COMMENT 'Workchain of the admin or owner; 0 for none.' CODEC(ZSTD(1)),
    owner FixedString(32) COMMENT 'Account id of the admin or owner; zeros for none.' CODEC(LZ4),
    has_parent Bool COMMENT 'There is a master or collection.',
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.' CODEC(LZ4),
    child_code FixedString(32) COMMENT 'Hash of the code of wallets or items.' CODEC(LZ4),
    content String COMMENT 'Content as JSON; empty for none.' CODEC(ZSTD(3))
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, kind)
SETTINGS index_granularity = 1024
COMMENT 'Outcomes for kinds of tokens.';
