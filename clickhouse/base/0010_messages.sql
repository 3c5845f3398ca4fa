-- One row a message and side, both sides of a message next to each other (so the second side costs little).
-- created_lt is 0 for external-in messages. Only those have a normalised hash of their own.
CREATE TABLE IF NOT EXISTS {db}.messages{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    side Enum8('out' = 0, 'in' = 1) CODEC(ZSTD(1)),
    kind Enum8('internal' = 0, 'ext_in' = 1, 'ext_out' = 2) CODEC(ZSTD(1)),
    hash FixedString(32) CODEC(LZ4),
    ext_hash_norm FixedString(32) CODEC(ZSTD(1)),
    hash_norm FixedString(32) ALIAS if(kind = 'ext_in', ext_hash_norm, hash),
    created_lt UInt64 CODEC(Delta, ZSTD(1)),
    created_at UInt32 CODEC(Delta, ZSTD(1)),
    source_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3) CODEC(ZSTD(1)),
    source_workchain Int32 CODEC(ZSTD(1)),
    source FixedString(32) CODEC(LZ4),
    destination_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3) CODEC(ZSTD(1)),
    destination_workchain Int32 CODEC(ZSTD(1)),
    destination FixedString(32) CODEC(LZ4),
    value UInt128 CODEC(ZSTD(1)),
    value_extra Map(UInt32, UInt256) CODEC(ZSTD(3)),
    fwd_fee UInt128 CODEC(ZSTD(1)),
    ihr_fee UInt128 CODEC(ZSTD(1)),
    import_fee UInt128 CODEC(ZSTD(1)),
    extra_flags Nullable(UInt128) CODEC(ZSTD(1)),
    ihr_disabled Bool CODEC(ZSTD(1)),
    bounce Bool CODEC(ZSTD(1)),
    bounced Bool CODEC(ZSTD(1)),
    opcode Nullable(UInt32) CODEC(ZSTD(1)),
    body_hash FixedString(32) CODEC(LZ4),
    body String CODEC(ZSTD(1)),
    init_hash FixedString(32) CODEC(LZ4),
    init String CODEC(ZSTD(1)),
    tx_workchain Int32 CODEC(ZSTD(1)),
    tx_account FixedString(32) CODEC(LZ4),
    tx_lt UInt64 CODEC(Delta, ZSTD(1)),
    tx_hash FixedString(32) CODEC(LZ4),
    listed Bool CODEC(ZSTD(1)),
    hash8 UInt64 DEFAULT reinterpretAsUInt64(reverse(substring(hash, 1, 8))),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_created_at created_at TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (created_lt, hash8, side)
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.messages_mv{cluster} TO {db}.messages AS
SELECT * EXCEPT hash_norm, if(kind = 'ext_in', hash_norm, toFixedString('', 32)) AS ext_hash_norm
FROM {db}.land_messages;
