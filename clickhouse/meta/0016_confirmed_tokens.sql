-- Wallets and items that get methods told once, whatever they are now: what moved their tokens stays in lists when the account ends or
-- gets another code. `since`: the step of the first state that was one; `item_index`: of items.
CREATE TABLE IF NOT EXISTS {db}.confirmed_tokens{cluster}
(
    since SimpleAggregateFunction(min, UInt32) COMMENT 'Masterchain step of the first such state.',
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the account was examined for.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    item_index UInt256 COMMENT 'Index of an item; 0 for a wallet.' CODEC(ZSTD(1)),
    has_parent Bool COMMENT 'There is a master or collection.',
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.' CODEC(LZ4)
)
ENGINE = {engine:AggregatingMergeTree}
ORDER BY (account, workchain, kind, has_parent, parent, parent_workchain, item_index)
SETTINGS index_granularity = 256
COMMENT 'Wallets and items that were detected once.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.confirmed_tokens_mv{cluster} TO {db}.confirmed_tokens AS
SELECT mc_seqno AS since, kind, workchain, account, if(kind = 'nft_item', amount, 0) AS item_index, has_parent, parent_workchain, parent
FROM {db}.detections
WHERE reason = '' AND kind IN ('jetton_wallet', 'nft_item');
