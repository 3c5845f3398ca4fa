-- As in `contracts`: states of tokens that get methods identified.
CREATE TABLE IF NOT EXISTS {db}.token_states{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the contract.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before this state.' CODEC(Delta, ZSTD(1)),
    now UInt32 COMMENT 'Time of that transaction, Unix seconds; 0 if unknown. Always 0 in `detections`.' CODEC(Delta, ZSTD(1)),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the contract is.' CODEC(ZSTD(1)),
    is_gone Bool COMMENT 'The account is no longer a contract of this kind.' CODEC(ZSTD(1)),
    since UInt32 COMMENT 'Masterchain step in which the contract was first seen.' CODEC(ZSTD(1)),
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(ZSTD(1)),
    data_hash FixedString(32) COMMENT 'Hash of the data.' CODEC(ZSTD(1)),
    amount UInt256 COMMENT 'Supply, balance, next index (-1 as 2^256 - 1) or index, by kind. Smallest units.' CODEC(ZSTD(1)),
    flag Bool COMMENT 'A master is mintable, an item is initialised, a collection has the beginning of its items\' links, a wallet has an unclaimed mintless amount.' CODEC(ZSTD(1)),
    has_owner Bool COMMENT 'There is a admin or owner.' CODEC(ZSTD(1)),
    owner_workchain Int32 COMMENT 'Workchain of the admin or owner; 0 for none.' CODEC(ZSTD(1)),
    owner FixedString(32) COMMENT 'Account id of the admin or owner; zeros for none.' CODEC(ZSTD(1)),
    has_parent Bool COMMENT 'There is a master or collection.' CODEC(ZSTD(1)),
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.' CODEC(ZSTD(1)),
    child_code FixedString(32) COMMENT 'Hash of the code that a wallet or item must have to belong to its master or collection.' CODEC(ZSTD(1)),
    content_hash FixedString(32) COMMENT 'Hash of the content cell; zeros for none.' CODEC(ZSTD(1)),
    content String COMMENT 'Content as JSON; empty if the store does not have the cell.' CODEC(ZSTD(3)),
    link String COMMENT 'Link that the items of a collection begin with, or the end of an item\'s link.' CODEC(ZSTD(3)),
    had Bool COMMENT 'It was a contract of this kind before. The columns had_… place that state in tokens_ranked.' CODEC(ZSTD(1)),
    had_amount UInt256 COMMENT 'Amount before; 0 without had.' CODEC(ZSTD(1)),
    had_parent_workchain Int32 COMMENT 'Workchain of the parent before; 0 without had.' CODEC(ZSTD(1)),
    had_parent FixedString(32) COMMENT 'Account id of the parent before; zeros without had.' CODEC(ZSTD(1)),
    had_child_code FixedString(32) COMMENT 'Child code before; zeros without had.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, kind, lt)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Token contracts at each lt. The newest row of an account and kind is the current state.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.token_states_mv{cluster} TO {db}.token_states AS
SELECT
    mc_seqno,
    part,
    workchain,
    account,
    lt,
    now,
    kind,
    is_gone,
    since,
    code_hash,
    data_hash,
    amount,
    flag,
    has_owner,
    owner_workchain,
    owner,
    has_parent,
    parent_workchain,
    parent,
    child_code,
    content_hash,
    content,
    link,
    had,
    had_amount,
    had_parent_workchain,
    had_parent,
    had_child_code
FROM {db}.land_token_states;
