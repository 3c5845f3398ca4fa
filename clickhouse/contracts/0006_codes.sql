-- Each code where it was first seen whole, with the ids of its methods. A code that has methods of tokens and is not
-- known is counted here, never guessed.
CREATE TABLE IF NOT EXISTS {db}.codes{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 CODEC(ZSTD(1)),
    code_hash FixedString(32) CODEC(NONE),
    is_known Bool CODEC(ZSTD(1)),
    methods String CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY code_hash
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.codes_mv{cluster} TO {db}.codes AS
SELECT * FROM {db}.land_codes;

-- States of known contracts that are not told whole by the blocks that are indexed: their data or content was pruned
-- away, and nothing before had it. is_unread: the data is there, and is not what the code keeps.
CREATE TABLE IF NOT EXISTS {db}.gaps{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 CODEC(ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    code_hash FixedString(32) CODEC(ZSTD(1)),
    data_hash FixedString(32) CODEC(ZSTD(1)),
    missing Enum8('data' = 0, 'content' = 1, 'size' = 2) CODEC(ZSTD(1)),
    is_unread Bool CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.gaps_mv{cluster} TO {db}.gaps AS
SELECT * FROM {db}.land_gaps;
