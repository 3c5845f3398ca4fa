-- `part`: the projection has one partition.
-- Outcomes of get methods, a row for each examined state and kind, and the input of a replay: the records of the log are rebuilt
-- from these rows. `reason`: why the account is not of the kind; empty if it is, `not known: …` if the index lacks a cell.
-- `state_seqno`: masterchain step of the state, at or below that of the record.
CREATE TABLE IF NOT EXISTS {db}.token_outcomes{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the record.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1)),
    state_seqno UInt32 COMMENT 'Masterchain step of the state: this one, or an earlier one.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the account was examined for.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.' CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(LZ4),
    data_hash FixedString(32) COMMENT 'Hash of the data.' CODEC(LZ4),
    reason String COMMENT 'Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell.' CODEC(ZSTD(1)),
    amount UInt256 COMMENT 'Supply, balance, next index or index, by kind. Smallest units.' CODEC(ZSTD(1)),
    flag Bool COMMENT 'A master is mintable, an item is initialised.',
    has_owner Bool COMMENT 'There is a admin or owner.',
    owner_workchain Int32 COMMENT 'Workchain of the admin or owner; 0 for none.' CODEC(ZSTD(1)),
    owner FixedString(32) COMMENT 'Account id of the admin or owner; zeros for none.' CODEC(LZ4),
    has_parent Bool COMMENT 'There is a master or collection.',
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.' CODEC(LZ4),
    child_code FixedString(32) COMMENT 'Hash of the code of wallets or items.' CODEC(LZ4),
    content String COMMENT 'Content as JSON; empty for none.' CODEC(ZSTD(3)),
    INDEX by_step mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, kind, lt)
SETTINGS index_granularity = 1024
COMMENT 'Outcomes for kinds of tokens.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.token_outcomes_mv{cluster} TO {db}.token_outcomes AS
SELECT * FROM {db}.land_token_outcomes;

-- `details`: JSON by the names of answers. `keys`: JSON list of (role, workchain, account), by which the contract is found.
CREATE TABLE IF NOT EXISTS {db}.contract_outcomes{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the record.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1)),
    state_seqno UInt32 COMMENT 'Masterchain step of the state: this one, or an earlier one.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    kind LowCardinality(String) COMMENT 'What the account was examined for.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.' CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(LZ4),
    data_hash FixedString(32) COMMENT 'Hash of the data.' CODEC(LZ4),
    reason String COMMENT 'Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell.' CODEC(ZSTD(1)),
    has_owner Bool COMMENT 'There is a owner.',
    owner_workchain Int32 COMMENT 'Workchain of the owner; 0 for none.' CODEC(ZSTD(1)),
    owner FixedString(32) COMMENT 'Account id of the owner; zeros for none.' CODEC(LZ4),
    has_parent Bool COMMENT 'There is a NFT that is sold, collection, or multisig.',
    parent_workchain Int32 COMMENT 'Workchain of the NFT that is sold, collection, or multisig; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the NFT that is sold, collection, or multisig; zeros for none.' CODEC(LZ4),
    details String COMMENT 'JSON object by the names of answers.' CODEC(ZSTD(3)),
    keys String COMMENT 'JSON list of [role, workchain, hex]: accounts by which the contract is found.' CODEC(ZSTD(1)),
    INDEX by_step mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, kind, lt)
SETTINGS index_granularity = 1024
COMMENT 'Outcomes for other kinds.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.contract_outcomes_mv{cluster} TO {db}.contract_outcomes AS
SELECT * FROM {db}.land_contract_outcomes;
