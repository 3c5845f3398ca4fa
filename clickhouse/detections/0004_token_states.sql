-- As in `contracts`: states of tokens that get methods identified.
CREATE TABLE IF NOT EXISTS {db}.token_states{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 CODEC(ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) CODEC(ZSTD(1)),
    is_gone Bool CODEC(ZSTD(1)),
    since UInt32 CODEC(ZSTD(1)),
    code_hash FixedString(32) CODEC(ZSTD(1)),
    data_hash FixedString(32) CODEC(ZSTD(1)),
    amount UInt256 CODEC(ZSTD(1)),
    flag Bool CODEC(ZSTD(1)),
    has_owner Bool CODEC(ZSTD(1)),
    owner_workchain Int32 CODEC(ZSTD(1)),
    owner FixedString(32) CODEC(ZSTD(1)),
    has_parent Bool CODEC(ZSTD(1)),
    parent_workchain Int32 CODEC(ZSTD(1)),
    parent FixedString(32) CODEC(ZSTD(1)),
    child_code FixedString(32) CODEC(ZSTD(1)),
    content_hash FixedString(32) CODEC(ZSTD(1)),
    content String CODEC(ZSTD(3)),
    link String CODEC(ZSTD(3))
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, kind, lt)
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.token_states_mv{cluster} TO {db}.token_states AS
SELECT mc_seqno, part, workchain, account, lt, kind, is_gone, since, code_hash, data_hash, amount, flag, has_owner,
    owner_workchain, owner, has_parent, parent_workchain, parent, child_code, content_hash, content, link
FROM {db}.land_token_states;
