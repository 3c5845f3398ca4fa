-- The newest outcome of each account and kind of token; unknown ones are left out. `mc_seqno`: step of the state.
CREATE TABLE IF NOT EXISTS {db}.detections{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the state: this one, or an earlier one.' CODEC(Delta, ZSTD(1)),
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
    content String COMMENT 'Content as JSON; empty for none.' CODEC(ZSTD(3))
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, kind)
SETTINGS index_granularity = 1024
COMMENT 'Outcomes for kinds of tokens.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.detections_mv{cluster} TO {db}.detections AS
SELECT state_seqno AS mc_seqno, workchain, account, kind, lt, code_hash, data_hash, reason, amount, flag, has_owner, owner_workchain, owner,
    has_parent, parent_workchain, parent, child_code, content
FROM {db}.land_token_outcomes
WHERE NOT startsWith(reason, 'not known: ');

-- Accounts by which detected tokens are found: the token, its owner, its master or collection. A key stays when the token changes: the
-- newest outcome decides. `since`: step of the first state that was a token.
CREATE TABLE IF NOT EXISTS {db}.detected_keys{cluster}
(
    since SimpleAggregateFunction(min, UInt32) COMMENT 'Masterchain step of the first such state.',
    role Enum8('account' = 0, 'owner' = 1, 'parent' = 2) COMMENT 'What the key is to the token.' CODEC(ZSTD(1)),
    key_workchain Int32 COMMENT 'Workchain of the key.' CODEC(ZSTD(1)),
    key FixedString(32) COMMENT 'Account by which the contract is found.' CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the account was examined for.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4)
)
ENGINE = {engine:AggregatingMergeTree}
ORDER BY (key, key_workchain, role, kind, account, workchain)
SETTINGS index_granularity = 1024
COMMENT 'Accounts by which detected tokens are or were found.';

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
SELECT state_seqno AS since, kind, workchain, account, if(kind = 'nft_item', amount, 0) AS item_index, has_parent,
    parent_workchain, parent
FROM {db}.land_token_outcomes
WHERE reason = '' AND kind IN ('jetton_wallet', 'nft_item');
