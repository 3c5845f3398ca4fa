-- Sales, auctions and items of Telegram under codes whose data cannot be read as it stands, as their get methods say. A row for each
-- kind that the code has a method of; `reason`: why the account is none of that kind, empty where it is one. The newest state of an
-- account counts. `details`: JSON by the names of answers. Keys of `owner` find what a seller sells.
CREATE TABLE IF NOT EXISTS {db}.detected_contracts{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the state: this one, or an earlier one.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    kind LowCardinality(String) COMMENT 'What the account was examined for.',
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.' CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(LZ4),
    data_hash FixedString(32) COMMENT 'Hash of the data.' CODEC(LZ4),
    reason LowCardinality(String) COMMENT 'Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell.',
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
