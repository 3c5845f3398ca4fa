-- Accounts by which the contracts of `detected_contracts` are found: signers and proposers of a multisig, the multisig of an order, the
-- record `wallet` of a name, and the SHA-256 of the name itself. A key stays when the contract changes: the newest outcome says whether it still is.
CREATE TABLE IF NOT EXISTS {db}.detected_contract_keys{cluster}
(
    role LowCardinality(String) COMMENT 'What the key is to the contract.',
    key_workchain Int32 COMMENT 'Workchain of the key.' CODEC(ZSTD(1)),
    key FixedString(32) COMMENT 'Account by which the contract is found.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4)
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY (key, key_workchain, role, account, workchain)
SETTINGS index_granularity = 1024
COMMENT 'Accounts by which other detected contracts are or were found.';
