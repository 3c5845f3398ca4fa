-- Accounts by which the tokens of `detections` are found: the token itself, its owner, its master or collection. A key stays when
-- the token changes: the newest outcome says whether it still is. `since`: the step of the first state that was a token.
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
