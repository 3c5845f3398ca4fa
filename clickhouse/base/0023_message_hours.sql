-- Sums of messages by hour, direction and kind, a row for a hundred masterchain steps (src/tables/sums/sums.ts).
CREATE TABLE IF NOT EXISTS {db}.message_hours{cluster}
(
    hour DateTime('UTC') COMMENT 'Start of the hour, UTC.' CODEC(ZSTD(1)),
    side Enum8('out' = 0, 'in' = 1) COMMENT 'Side of the message.' CODEC(ZSTD(1)),
    kind Enum8('internal' = 0, 'ext_in' = 1, 'ext_out' = 2) COMMENT 'Kind of the message.' CODEC(ZSTD(1)),
    bounced Bool COMMENT 'The messages are bounced ones.' CODEC(ZSTD(1)),
    steps UInt32 COMMENT 'Masterchain steps of the row: mc_seqno / 100, rounded down.' CODEC(ZSTD(1)),
    messages Int64 COMMENT 'Messages.' CODEC(ZSTD(1)),
    value Int128 COMMENT 'Value, nanotons.' CODEC(ZSTD(1)),
    forward_fees Int128 COMMENT 'Forward fees, nanotons.' CODEC(ZSTD(1))
)
ENGINE = {engine:SummingMergeTree((messages, value, forward_fees))}
ORDER BY (hour, side, kind, bounced, steps)
SETTINGS index_granularity = 1024
COMMENT 'Messages by hour, direction and kind.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.message_hours_mv{cluster} TO {db}.message_hours AS
SELECT toStartOfHour(toDateTime(tx_now, 'UTC')) AS hour,
    side,
    kind,
    bounced,
    intDiv(mc_seqno, 100) AS steps,
    CAST(sum(1), 'Int64') AS messages,
    CAST(sum(toInt128(value)), 'Int128') AS value,
    CAST(sum(toInt128(fwd_fee)), 'Int128') AS forward_fees
FROM {db}.land_messages
GROUP BY hour, side, kind, bounced, steps;
