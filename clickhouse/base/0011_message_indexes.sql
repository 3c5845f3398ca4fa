-- Message hash -> (created_lt, hash8), the key of `messages`. A message is listed once (`listed`), or by both sides where
-- it was sent before the index began: readers take distinct keys.
CREATE TABLE IF NOT EXISTS {db}.message_hashes{cluster}
(
    hash8 UInt64 COMMENT 'First 8 bytes of hash as a number, most significant first.',
    created_lt UInt64 COMMENT 'Logical time of creation; 0 for external-in messages, which have none.' CODEC(ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY hash8
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'Message hash → (created_lt, hash8), the key of messages. Readers take distinct keys.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.message_hashes_mv{cluster} TO {db}.message_hashes AS
SELECT reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8, created_lt, mc_seqno
FROM {db}.land_messages
WHERE listed;

-- Normalised hash (TEP-467) of external-in messages -> hash8 of the message (its created_lt is 0).
CREATE TABLE IF NOT EXISTS {db}.message_norm_hashes{cluster}
(
    norm8 UInt64 COMMENT 'First 8 bytes of hash_norm as a number, most significant first.',
    hash8 UInt64 COMMENT 'First 8 bytes of hash as a number, most significant first.',
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY norm8
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'Normalised hash (TEP-467) of an external-in message → hash8 of the message; its created_lt is 0.';

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
    body8 UInt64 COMMENT 'First 8 bytes of body_hash as a number, most significant first.',
    created_lt UInt64 COMMENT 'Logical time of creation; 0 for external-in messages, which have none.' CODEC(Delta, ZSTD(1)),
    hash8 UInt64 COMMENT 'First 8 bytes of hash as a number, most significant first.',
    created_at UInt32 COMMENT 'Time of creation, Unix seconds; 0 for external-in messages.' CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (body8, created_lt, hash8)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Hash of the body → key of messages.';

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
    source FixedString(32) COMMENT 'Account id of the source; zeros unless it is an account.',
    source_workchain Int32 COMMENT 'Workchain of the source; 0 unless it is an account.',
    source_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3) COMMENT 'Form of the source address.',
    created_lt UInt64 COMMENT 'Logical time of creation; 0 for external-in messages, which have none.' CODEC(Delta, ZSTD(1)),
    hash8 UInt64 COMMENT 'First 8 bytes of hash as a number, most significant first.',
    created_at UInt32 COMMENT 'Time of creation, Unix seconds; 0 for external-in messages.' CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (source, source_workchain, source_kind, created_lt, hash8)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Source → key of messages. External-in messages have the kind \'none\'.';

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
    destination FixedString(32) COMMENT 'Account id of the destination; zeros unless it is an account.',
    destination_workchain Int32 COMMENT 'Workchain of the destination; 0 unless it is an account.',
    destination_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3) COMMENT 'Form of the destination address.',
    created_lt UInt64 COMMENT 'Logical time of creation; 0 for external-in messages, which have none.' CODEC(Delta, ZSTD(1)),
    hash8 UInt64 COMMENT 'First 8 bytes of hash as a number, most significant first.',
    created_at UInt32 COMMENT 'Time of creation, Unix seconds; 0 for external-in messages.' CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (destination, destination_workchain, destination_kind, created_lt, hash8)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Destination → key of messages. External-out messages have \'none\' or \'extern\'.';

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
    opcode UInt32 COMMENT 'First 32 bits of the body.',
    created_lt UInt64 COMMENT 'Logical time of creation; 0 for external-in messages, which have none.' CODEC(Delta, ZSTD(1)),
    hash8 UInt64 COMMENT 'First 8 bytes of hash as a number, most significant first.',
    created_at UInt32 COMMENT 'Time of creation, Unix seconds; 0 for external-in messages.' CODEC(Delta, ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (opcode, created_lt, hash8)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Opcode, the first 32 bits of the body → key of messages.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.messages_by_opcode_mv{cluster} TO {db}.messages_by_opcode AS
SELECT
    assumeNotNull(opcode) AS opcode, created_lt,
    reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8,
    created_at, mc_seqno
FROM {db}.land_messages AS m
WHERE m.listed AND m.opcode IS NOT NULL;
