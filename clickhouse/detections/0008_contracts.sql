-- The newest outcome of each account and kind of sales, auctions, names, multisigs and orders; unknown ones are left out. `mc_seqno`:
-- step of the state.
CREATE TABLE IF NOT EXISTS {db}.detected_contracts{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the state: this one, or an earlier one.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    kind LowCardinality(String) COMMENT 'What the account was examined for.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.' CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(LZ4),
    data_hash FixedString(32) COMMENT 'Hash of the data.' CODEC(LZ4),
    reason String COMMENT 'Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell.' CODEC(ZSTD(1)),
    has_owner Bool COMMENT 'There is a owner.',
    owner_workchain Int32 COMMENT 'Workchain of the owner; 0 for none.' CODEC(ZSTD(1)),
    owner FixedString(32) COMMENT 'Account id of the owner; zeros for none.' CODEC(LZ4),
    has_parent Bool COMMENT 'There is a NFT that is sold, collection, or multisig.',
    parent_workchain Int32 COMMENT 'Workchain of the NFT that is sold, collection, or multisig; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the NFT that is sold, collection, or multisig; zeros for none.' CODEC(LZ4),
    details String COMMENT 'JSON object by the names of answers.' CODEC(ZSTD(3)),
    INDEX owners owner TYPE bloom_filter GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, kind)
SETTINGS index_granularity = 1024
COMMENT 'Outcomes for other kinds.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.detected_contracts_mv{cluster} TO {db}.detected_contracts AS
SELECT state_seqno AS mc_seqno, workchain, account, kind, lt, code_hash, data_hash, reason, has_owner, owner_workchain, owner, has_parent,
    parent_workchain, parent, details
FROM {db}.land_contract_outcomes
WHERE NOT startsWith(reason, 'not known: ');

-- Accounts by which these contracts are found: signers and proposers of a multisig, the multisig of an order, the record `wallet` of a
-- name, and the SHA-256 of the name. A key stays when the contract changes: the newest outcome decides.
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

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.detected_contract_keys_mv{cluster} TO {db}.detected_contract_keys AS
SELECT found.1 AS role, found.2 AS key_workchain, toFixedString(unhex(found.3), 32) AS key, workchain, account
FROM
(
    SELECT workchain, account, arrayJoin(JSONExtract(keys, 'Array(Tuple(String, Int32, String))')) AS found
    FROM {db}.land_contract_outcomes
    WHERE reason = ''
);
