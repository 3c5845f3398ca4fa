-- Accounts by which the contracts of `detected_contracts` are found: signers and proposers of a multisig, the multisig of an order, the
-- record `wallet` of a name, and the SHA-256 of the name itself. A key stays when the contract changes: the newest outcome says whether it still is.
CREATE TABLE IF NOT EXISTS {db}.detected_contract_keys{cluster}
(
    role LowCardinality(String),
    key_workchain Int32 CODEC(ZSTD(1)),
    key FixedString(32) CODEC(LZ4),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(LZ4)
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY (key, key_workchain, role, account, workchain)
SETTINGS index_granularity = 1024;
