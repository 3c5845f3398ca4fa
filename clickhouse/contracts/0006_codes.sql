-- Each code where it was first seen whole, with the ids of its methods. A code that has methods of tokens and is not
-- known is counted here, never guessed.
CREATE TABLE IF NOT EXISTS {db}.codes{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(NONE),
    is_known Bool COMMENT 'The data of its accounts is read without the TVM.' CODEC(ZSTD(1)),
    methods String COMMENT 'Ids of its methods, four bytes each, least significant first.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY code_hash
SETTINGS index_granularity = 1024
COMMENT 'A code at its first complete appearance.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.codes_mv{cluster} TO {db}.codes AS
SELECT * FROM {db}.land_codes;

-- States of known contracts that are not told whole by the blocks that are indexed: their data or content was pruned
-- away, and nothing before had it. is_unread: the data is there, and is not what the code keeps.
CREATE TABLE IF NOT EXISTS {db}.gaps{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.' CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(ZSTD(1)),
    data_hash FixedString(32) COMMENT 'Hash of the data.' CODEC(ZSTD(1)),
    missing Enum8('data' = 0, 'content' = 1, 'size' = 2) COMMENT 'What cannot be read.' CODEC(ZSTD(1)),
    is_unread Bool COMMENT 'The data is complete, and is not what the code stores.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 1024
COMMENT 'A state of a known contract that cannot be read: the indexed blocks do not have all of it, or its data is not valid.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.gaps_mv{cluster} TO {db}.gaps AS
SELECT * FROM {db}.land_gaps;
