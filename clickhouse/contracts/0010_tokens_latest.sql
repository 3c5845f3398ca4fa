-- The newest state of every token contract. Merging keeps one row an account and kind; small blocks, since rows are read
-- one by one. The index finds what steps above the visible range changed.
CREATE TABLE IF NOT EXISTS {db}.tokens_latest{cluster}
(
    mc_seqno UInt32 CODEC(LZ4),
    workchain Int32 CODEC(LZ4),
    account FixedString(32) CODEC(LZ4),
    lt UInt64 CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) CODEC(LZ4),
    is_gone Bool CODEC(LZ4),
    since UInt32 CODEC(LZ4),
    code_hash FixedString(32) CODEC(LZ4),
    data_hash FixedString(32) CODEC(LZ4),
    amount UInt256 CODEC(LZ4),
    flag Bool CODEC(LZ4),
    has_owner Bool CODEC(LZ4),
    owner_workchain Int32 CODEC(LZ4),
    owner FixedString(32) CODEC(LZ4),
    has_parent Bool CODEC(LZ4),
    parent_workchain Int32 CODEC(LZ4),
    parent FixedString(32) CODEC(LZ4),
    child_code FixedString(32) CODEC(LZ4),
    content String CODEC(ZSTD(1)),
    link String CODEC(ZSTD(1)),
    INDEX by_step mc_seqno TYPE minmax GRANULARITY 8
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, kind)
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.tokens_latest_mv{cluster} TO {db}.tokens_latest AS
SELECT mc_seqno, workchain, account, lt, kind, is_gone, since, code_hash, data_hash, amount, flag, has_owner,
    owner_workchain, owner, has_parent, parent_workchain, parent, child_code, content, link
FROM {db}.land_token_states;
