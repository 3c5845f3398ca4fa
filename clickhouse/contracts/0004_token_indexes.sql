-- Token contracts in the order in which they were first seen, by kind.
CREATE TABLE IF NOT EXISTS {db}.token_firsts{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the contract.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before this state.' CODEC(Delta, ZSTD(1)),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the contract is.' CODEC(ZSTD(1)),
    has_parent Bool COMMENT 'There is a master or collection.' CODEC(ZSTD(1)),
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.' CODEC(ZSTD(1)),
    child_code FixedString(32) COMMENT 'Hash of the code that a wallet or item must have to belong to its master or collection.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (kind, mc_seqno, account, workchain)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Token contracts in the order in which they were first seen, by kind.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.token_firsts_mv{cluster} TO {db}.token_firsts AS
SELECT mc_seqno, part, workchain, account, lt, kind, has_parent, parent_workchain, parent, child_code
FROM {db}.land_token_states WHERE is_first;

-- Wallets of a master, items of a collection, as they were first seen.
CREATE TABLE IF NOT EXISTS {db}.tokens_by_parent{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the contract.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(ZSTD(1)),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the contract is.' CODEC(ZSTD(1)),
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (parent, parent_workchain, kind, mc_seqno, account, workchain)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Wallets of a master, items of a collection, as they were first seen.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.tokens_by_parent_mv{cluster} TO {db}.tokens_by_parent AS
SELECT mc_seqno, part, workchain, account, kind, parent_workchain, parent
FROM {db}.land_token_states WHERE is_first;

-- What an account owns, or owned: the newest state says whether it still does.
CREATE TABLE IF NOT EXISTS {db}.tokens_by_owner{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the contract.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(ZSTD(1)),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the contract is.' CODEC(ZSTD(1)),
    owner_workchain Int32 COMMENT 'Workchain of the admin or owner; 0 for none.' CODEC(ZSTD(1)),
    owner FixedString(32) COMMENT 'Account id of the admin or owner; zeros for none.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (owner, owner_workchain, kind, account)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'What an account owns or owned. The newest state decides whether it still does.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.tokens_by_owner_mv{cluster} TO {db}.tokens_by_owner AS
SELECT mc_seqno, part, workchain, account, kind, owner_workchain, owner
FROM {db}.land_token_states WHERE is_owner_new;
