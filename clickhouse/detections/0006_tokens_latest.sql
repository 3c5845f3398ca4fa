-- As in `contracts`: states of tokens that get methods identified.
CREATE TABLE IF NOT EXISTS {db}.tokens_latest{cluster}
(
    mc_seqno UInt32 CODEC(LZ4),
    workchain Int32 CODEC(LZ4),
    account FixedString(32) CODEC(LZ4),
    lt UInt64 CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) CODEC(LZ4),
    is_gone Bool CODEC(LZ4),
    since UInt32 ALIAS reinterpretAsUInt32(substring(payload, 20, 4)),
    code_hash FixedString(32) ALIAS toFixedString(substring(payload, 24, 32), 32),
    data_hash FixedString(32) ALIAS toFixedString(substring(payload, 56, 32), 32),
    amount UInt256 ALIAS reinterpretAsUInt256(substring(payload, 88, 32)),
    flag Bool ALIAS substring(payload, 120, 1) = char(1),
    has_owner Bool ALIAS substring(payload, 121, 1) = char(1),
    owner_workchain Int32 ALIAS reinterpretAsInt32(substring(payload, 122, 4)),
    owner FixedString(32) ALIAS toFixedString(substring(payload, 126, 32), 32),
    has_parent Bool ALIAS substring(payload, 158, 1) = char(1),
    parent_workchain Int32 ALIAS reinterpretAsInt32(substring(payload, 159, 4)),
    parent FixedString(32) ALIAS toFixedString(substring(payload, 163, 32), 32),
    child_code FixedString(32) ALIAS toFixedString(substring(payload, 195, 32), 32),
    content String ALIAS substring(payload, 235, reinterpretAsUInt32(substring(payload, 227, 4))),
    link String ALIAS substring(payload, 235 + reinterpretAsUInt32(substring(payload, 227, 4)), reinterpretAsUInt32(substring(payload, 231, 4))),
    payload String CODEC(LZ4),
    INDEX by_step mc_seqno TYPE minmax GRANULARITY 32
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, kind)
SETTINGS index_granularity = 64, min_compress_block_size = 4096, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.tokens_latest_mv{cluster} TO {db}.tokens_latest AS
SELECT mc_seqno, workchain, account, lt, kind, is_gone,
    concat(char(1), formatRow('RowBinary',
        mc_seqno,
        workchain,
        lt,
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
        toUInt32(length(content)),
        toUInt32(length(link))), content, link) AS payload
FROM {db}.land_token_states;
