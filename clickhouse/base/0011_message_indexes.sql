-- Message hash -> (created_lt, hash8), the key of `messages`. A message is listed once (`listed`), or by both sides where
-- it was sent before the index began: readers take distinct keys.
CREATE TABLE IF NOT EXISTS {db}.message_hashes{cluster}
(
    hash8 UInt64,
    created_lt UInt64 CODEC(ZSTD(1)),
    mc_seqno UInt32 CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY hash8
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.message_hashes_mv{cluster} TO {db}.message_hashes AS
SELECT reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8, created_lt, mc_seqno
FROM {db}.land_messages
WHERE listed;

-- Normalised hash (TEP-467) of external-in messages -> hash8 of the message (its created_lt is 0).
CREATE TABLE IF NOT EXISTS {db}.message_norm_hashes{cluster}
(
    norm8 UInt64,
    hash8 UInt64,
    mc_seqno UInt32 CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY norm8
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.message_norm_hashes_mv{cluster} TO {db}.message_norm_hashes AS
SELECT
    reinterpretAsUInt64(reverse(substring(hash_norm, 1, 8))) AS norm8,
    reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8,
    mc_seqno
FROM {db}.land_messages
WHERE kind = 'ext_in';

-- Body hash -> key of `messages`.
CREATE TABLE IF NOT EXISTS {db}.message_bodies{cluster}
(
    body8 UInt64,
    created_lt UInt64 CODEC(Delta, ZSTD(1)),
    hash8 UInt64,
    created_at UInt32 CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (body8, created_lt, hash8)
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.message_bodies_mv{cluster} TO {db}.message_bodies AS
SELECT
    reinterpretAsUInt64(reverse(substring(body_hash, 1, 8))) AS body8,
    created_lt,
    reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8,
    created_at,
    mc_seqno
FROM {db}.land_messages
WHERE listed;

-- Source -> key of `messages`. External-in messages stand under kind 'none'.
CREATE TABLE IF NOT EXISTS {db}.messages_by_source{cluster}
(
    source FixedString(32),
    source_workchain Int32,
    source_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3),
    created_lt UInt64 CODEC(Delta, ZSTD(1)),
    hash8 UInt64,
    created_at UInt32 CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (source, source_workchain, source_kind, created_lt, hash8)
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.messages_by_source_mv{cluster} TO {db}.messages_by_source AS
SELECT
    source, source_workchain, source_kind, created_lt,
    reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8,
    created_at, mc_seqno
FROM {db}.land_messages
WHERE listed;

-- Destination -> key of `messages`. External-out messages stand under kinds 'none' and 'extern'.
CREATE TABLE IF NOT EXISTS {db}.messages_by_destination{cluster}
(
    destination FixedString(32),
    destination_workchain Int32,
    destination_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3),
    created_lt UInt64 CODEC(Delta, ZSTD(1)),
    hash8 UInt64,
    created_at UInt32 CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (destination, destination_workchain, destination_kind, created_lt, hash8)
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.messages_by_destination_mv{cluster} TO {db}.messages_by_destination AS
SELECT
    destination, destination_workchain, destination_kind, created_lt,
    reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8,
    created_at, mc_seqno
FROM {db}.land_messages
WHERE listed;

-- Opcode (first 32 bits of the body) -> key of `messages`.
CREATE TABLE IF NOT EXISTS {db}.messages_by_opcode{cluster}
(
    opcode UInt32,
    created_lt UInt64 CODEC(Delta, ZSTD(1)),
    hash8 UInt64,
    created_at UInt32 CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (opcode, created_lt, hash8)
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.messages_by_opcode_mv{cluster} TO {db}.messages_by_opcode AS
SELECT
    assumeNotNull(opcode) AS opcode, created_lt,
    reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8,
    created_at, mc_seqno
FROM {db}.land_messages AS m
WHERE m.listed AND m.opcode IS NOT NULL;
