-- Active and new accounts by hour, a row for a hundred masterchain steps (src/tables/sums/sums.ts).
CREATE TABLE IF NOT EXISTS {db}.account_hours{cluster}
(
    hour DateTime('UTC') COMMENT 'Start of the hour, UTC.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the accounts.' CODEC(ZSTD(1)),
    steps UInt32 COMMENT 'Masterchain steps of the row: mc_seqno / 100, rounded down.' CODEC(ZSTD(1)),
    active Int64 COMMENT 'Accounts with a transaction.' CODEC(ZSTD(1)),
    new Int64 COMMENT 'Accounts whose first indexed transaction is here.' CODEC(ZSTD(1))
)
ENGINE = {engine:SummingMergeTree((active, new))}
ORDER BY (hour, workchain, steps)
SETTINGS index_granularity = 1024
COMMENT 'Active and new accounts by hour.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.account_hours_mv{cluster} TO {db}.account_hours AS
SELECT toStartOfHour(toDateTime(toUInt32(begun * 3600), 'UTC')) AS hour,
    workchain,
    intDiv(mc_seqno, 100) AS steps,
    CAST(sum(1), 'Int64') AS active,
    CAST(sum(toInt64(is_new AND intDiv(first_utime, 3600) = begun)), 'Int64') AS new
FROM {db}.land_activity ARRAY JOIN arrayMap(i -> reinterpretAsUInt32(substring(new_hours, 4 * i + 1, 4)), range(intDiv(length(new_hours), 4))) AS begun
GROUP BY hour, workchain, steps;
