-- The newest outcome of each account and kind of token; unknown ones are left out. `mc_seqno`: step of the state.
CREATE TABLE IF NOT EXISTS {db}.detections{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
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
    content String CODEC(ZSTD(3))
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, kind)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.detections_mv{cluster} TO {db}.detections AS
SELECT state_seqno AS mc_seqno, workchain, account, kind, lt, code_hash, data_hash, reason, amount, flag, has_owner, owner_workchain, owner,
    has_parent, parent_workchain, parent, child_code, content
FROM {db}.land_token_outcomes
WHERE NOT startsWith(reason, 'not known: ');

-- Accounts by which detected tokens are found: the token, its owner, its master or collection. A key stays when the token changes: the
-- newest outcome decides. `since`: step of the first state that was a token.
CREATE TABLE IF NOT EXISTS {db}.detected_keys{cluster}
(
    since SimpleAggregateFunction(min, UInt32),
    role Enum8('account' = 0, 'owner' = 1, 'parent' = 2) CODEC(ZSTD(1)),
    key_workchain Int32 CODEC(ZSTD(1)),
    key FixedString(32) CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) CODEC(ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(LZ4)
)
ENGINE = {engine:AggregatingMergeTree}
ORDER BY (key, key_workchain, role, kind, account, workchain)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.detected_keys_mv{cluster} TO {db}.detected_keys AS
SELECT state_seqno AS since, found.1 AS role, found.2 AS key_workchain, found.3 AS key, kind, workchain, account
FROM
(
    SELECT state_seqno, kind, workchain, account, arrayJoin(arrayConcat(
        [('account'::Enum8('account' = 0, 'owner' = 1, 'parent' = 2), workchain, account)],
        if(has_owner, [('owner'::Enum8('account' = 0, 'owner' = 1, 'parent' = 2), owner_workchain, owner)], []),
        if(has_parent, [('parent'::Enum8('account' = 0, 'owner' = 1, 'parent' = 2), parent_workchain, parent)], []))) AS found
    FROM {db}.land_token_outcomes
    WHERE reason = ''
);

-- Wallets and items that were detected once, whatever they are now: transfers of their tokens stay in lists when the account ends or
-- gets another code. `since`: step of the first such state; `item_index`: of items.
CREATE TABLE IF NOT EXISTS {db}.confirmed_tokens{cluster}
(
    since SimpleAggregateFunction(min, UInt32),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) CODEC(ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(LZ4),
    item_index UInt256 CODEC(ZSTD(1)),
    has_parent Bool,
    parent_workchain Int32 CODEC(ZSTD(1)),
    parent FixedString(32) CODEC(LZ4)
)
ENGINE = {engine:AggregatingMergeTree}
ORDER BY (account, workchain, kind, has_parent, parent, parent_workchain, item_index)
SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.confirmed_tokens_mv{cluster} TO {db}.confirmed_tokens AS
SELECT state_seqno AS since, kind, workchain, account, if(kind = 'nft_item', amount, 0) AS item_index, has_parent,
    parent_workchain, parent
FROM {db}.land_token_outcomes
WHERE reason = '' AND kind IN ('jetton_wallet', 'nft_item');
