-- `part`: the projection has one partition.
-- Outcomes of get methods, a row for each examined state and kind, and the input of a replay: the records of the log are rebuilt
-- from these rows. `reason`: why the account is not of the kind; empty if it is, `not known: …` if the index lacks a cell.
-- `state_seqno`: masterchain step of the state, at or below that of the record.
CREATE TABLE IF NOT EXISTS {db}.token_outcomes{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1)),
    state_seqno UInt32 CODEC(Delta, ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) CODEC(LZ4),
    data_hash FixedString(32) CODEC(LZ4),
    reason String CODEC(ZSTD(1)),
    amount UInt256 CODEC(ZSTD(1)),
    flag Bool,
    has_owner Bool,
    owner_workchain Int32 CODEC(ZSTD(1)),
    owner FixedString(32) CODEC(LZ4),
    has_parent Bool,
    parent_workchain Int32 CODEC(ZSTD(1)),
    parent FixedString(32) CODEC(LZ4),
    child_code FixedString(32) CODEC(LZ4),
    content String CODEC(ZSTD(3)),
    INDEX by_step mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, kind, lt)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.token_outcomes_mv{cluster} TO {db}.token_outcomes AS
SELECT * FROM {db}.land_token_outcomes;

-- `details`: JSON by the names of answers. `keys`: JSON list of (role, workchain, account), by which the contract is found.
CREATE TABLE IF NOT EXISTS {db}.contract_outcomes{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1)),
    state_seqno UInt32 CODEC(Delta, ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(LZ4),
    kind LowCardinality(String) CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) CODEC(LZ4),
    data_hash FixedString(32) CODEC(LZ4),
    reason String CODEC(ZSTD(1)),
    has_owner Bool,
    owner_workchain Int32 CODEC(ZSTD(1)),
    owner FixedString(32) CODEC(LZ4),
    has_parent Bool,
    parent_workchain Int32 CODEC(ZSTD(1)),
    parent FixedString(32) CODEC(LZ4),
    details String CODEC(ZSTD(3)),
    keys String CODEC(ZSTD(1)),
    INDEX by_step mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, kind, lt)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.contract_outcomes_mv{cluster} TO {db}.contract_outcomes AS
SELECT * FROM {db}.land_contract_outcomes;
