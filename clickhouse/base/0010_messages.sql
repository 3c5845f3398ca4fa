-- One row a message and side, both sides of a message next to each other (so the second side costs little).
-- created_lt is 0 for external-in messages. Only those have a normalised hash of their own.
-- `payload` holds all that an answer says (src/api/entities/messages/payload.ts): a short read costs by its columns. What nobody
-- filters by or sums stands there alone, and is an alias. Blocks of 4 KiB and granules of 512: a key decompresses less.
CREATE TABLE IF NOT EXISTS {db}.messages{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the masterchain block that committed the block of this row.' CODEC(Delta, ZSTD(1)),
    side Enum8('out' = 0, 'in' = 1) COMMENT '\'out\': the sender\'s row. \'in\': the receiver\'s row.' CODEC(ZSTD(1)),
    kind Enum8('internal' = 0, 'ext_in' = 1, 'ext_out' = 2) COMMENT 'Constructor of CommonMsgInfo.' CODEC(ZSTD(1)),
    hash FixedString(32) ALIAS toFixedString(substring(payload, 20, 32), 32) COMMENT 'Hash of the message\'s cell.',
    hash_norm FixedString(32) ALIAS if(kind = 'ext_in', toFixedString(substring(payload, 320, 32), 32), hash) COMMENT 'Normalised hash (TEP-467) of an external-in message; equals hash for the other kinds.',
    created_lt UInt64 COMMENT 'Logical time of creation; 0 for external-in messages, which have none.' CODEC(Delta, ZSTD(1)),
    created_at UInt32 COMMENT 'Time of creation, Unix seconds; 0 for external-in messages.' CODEC(Delta, ZSTD(1)),
    source_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3) ALIAS CAST(reinterpretAsInt8(substring(payload, 84, 1)) AS Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3)) COMMENT 'Form of the source address.',
    source_workchain Int32 ALIAS reinterpretAsInt32(substring(payload, 85, 4)) COMMENT 'Workchain of the source; 0 unless it is an account.',
    source FixedString(32) ALIAS toFixedString(substring(payload, 89, 32), 32) COMMENT 'Account id of the source; zeros unless it is an account.',
    destination_kind Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3) ALIAS CAST(reinterpretAsInt8(substring(payload, 121, 1)) AS Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3)) COMMENT 'Form of the destination address.',
    destination_workchain Int32 ALIAS reinterpretAsInt32(substring(payload, 122, 4)) COMMENT 'Workchain of the destination; 0 unless it is an account.',
    destination FixedString(32) ALIAS toFixedString(substring(payload, 126, 32), 32) COMMENT 'Account id of the destination; zeros unless it is an account.',
    value UInt128 COMMENT 'Value, nanotons.' CODEC(ZSTD(1)),
    value_extra Map(UInt32, UInt256) COMMENT 'Value in extra currencies, amount by id.' CODEC(ZSTD(3)),
    fwd_fee UInt128 ALIAS reinterpretAsUInt128(substring(payload, 174, 16)) COMMENT 'Forward fee, nanotons.',
    ihr_fee UInt128 ALIAS reinterpretAsUInt128(substring(payload, 190, 16)) COMMENT 'Fee of instant hypercube routing, nanotons.',
    import_fee UInt128 ALIAS reinterpretAsUInt128(substring(payload, 206, 16)) COMMENT 'Import fee of an external-in message, nanotons.',
    extra_flags Nullable(UInt128) ALIAS if(substring(payload, 294, 1) = char(1), NULL, reinterpretAsUInt128(substring(payload, 295, 16))) COMMENT 'Extra flags. NULL before global version 12, when their place holds ihr_fee.',
    ihr_disabled Bool ALIAS substring(payload, 222, 1) = char(1) COMMENT 'Instant hypercube routing is disabled.',
    bounce Bool ALIAS substring(payload, 223, 1) = char(1) COMMENT 'The message bounces if its transaction fails.',
    bounced Bool ALIAS substring(payload, 224, 1) = char(1) COMMENT 'The message is a bounced one.',
    opcode Nullable(UInt32) COMMENT 'First 32 bits of the body; NULL if the body is shorter.' CODEC(ZSTD(1)),
    body_hash FixedString(32) ALIAS toFixedString(substring(payload, 225, 32), 32) COMMENT 'Hash of the body\'s cell.',
    body String ALIAS substring(payload, length(payload) - reinterpretAsUInt32(substring(payload, 315, 4)) - reinterpretAsUInt32(substring(payload, 311, 4)) + 1, reinterpretAsUInt32(substring(payload, 311, 4))) COMMENT 'The body as a cell of its own: a bag of cells with checksum, without index.',
    init_hash FixedString(32) ALIAS toFixedString(substring(payload, 257, 32), 32) COMMENT 'Hash of the state init; zeros if there is none.',
    init String ALIAS right(payload, reinterpretAsUInt32(substring(payload, 315, 4))) COMMENT 'The state init as a bag of cells; empty if there is none.',
    tx_workchain Int32 COMMENT 'Workchain of the transaction at this side.' CODEC(ZSTD(1)),
    tx_account FixedString(32) COMMENT 'Account id of the transaction at this side.' CODEC(LZ4),
    tx_lt UInt64 COMMENT 'Logical time of the transaction at this side.' CODEC(Delta, ZSTD(1)),
    tx_hash FixedString(32) ALIAS toFixedString(substring(payload, 52, 32), 32) COMMENT 'Hash of the transaction at this side.',
    listed Bool COMMENT 'The indexes of messages contain this row: the sender\'s row, or the receiver\'s if no indexed transaction sent the message.' CODEC(ZSTD(1)),
    payload String COMMENT 'All that an answer shows of this side, packed (MESSAGE_PAYLOAD).' CODEC(ZSTD(1)),
    hash8 UInt64 COMMENT 'First 8 bytes of hash as a number, most significant first.',
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_created_at created_at TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (created_lt, hash8, side)
SETTINGS index_granularity = 512, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'One row per message and side, in the order of creation.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.messages_mv{cluster} TO {db}.messages AS
SELECT mc_seqno, side, kind, created_lt, created_at, value, value_extra, opcode, tx_workchain, tx_account, tx_lt, listed,
    reinterpretAsUInt64(reverse(substring(hash, 1, 8))) AS hash8,
    concat(char(1), formatRow('RowBinary',
        mc_seqno,
        side,
        kind,
        created_lt,
        created_at,
        hash,
        tx_hash,
        source_kind,
        source_workchain,
        source,
        destination_kind,
        destination_workchain,
        destination,
        value,
        fwd_fee,
        ihr_fee,
        import_fee,
        ihr_disabled,
        bounce,
        bounced,
        body_hash,
        init_hash,
        isNull(opcode),
        ifNull(opcode, toUInt32(0)),
        isNull(extra_flags),
        ifNull(extra_flags, toUInt128(0)),
        toUInt32(length(body)),
        toUInt32(length(init)),
        if(kind = 'ext_in', substring(hash_norm, 1, 32), ''),
        value_extra), body, init) AS payload
FROM {db}.land_messages;
