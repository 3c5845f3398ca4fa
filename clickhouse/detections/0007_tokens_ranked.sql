-- As in `contracts`: states of tokens that get methods identified.
CREATE TABLE IF NOT EXISTS {db}.tokens_ranked{cluster}
(
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.' CODEC(LZ4),
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.' CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the contract is.' CODEC(LZ4),
    child_code FixedString(32) COMMENT 'Hash of the code that a wallet or item must have to belong to its master or collection.' CODEC(LZ4),
    amount UInt256 COMMENT 'Supply, balance, next index (-1 as 2^256 - 1) or index, by kind. Smallest units.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the contract.' CODEC(LZ4),
    net Int64 COMMENT '1 if the token is there.' CODEC(LZ4)
)
ENGINE = {engine:SummingMergeTree(net)}
ORDER BY (parent, parent_workchain, kind, child_code, amount, account, workchain)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Wallets of a master by balance, items of a collection by index, under each code.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.tokens_ranked_mv{cluster} TO {db}.tokens_ranked AS
SELECT change.1 AS parent, change.2 AS parent_workchain, kind, change.3 AS child_code, change.4 AS amount, account, workchain,
    change.5 AS net
FROM
(
    SELECT kind, account, workchain, arrayJoin([
        (parent, parent_workchain, child_code, amount, toInt64(NOT is_gone)),
        (had_parent, had_parent_workchain, had_child_code, had_amount, -toInt64(had))]) AS change
    FROM {db}.land_token_states
    WHERE kind IN ('jetton_wallet', 'nft_item')
)
WHERE change.5 != 0;
