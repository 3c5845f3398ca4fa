-- Sums of trades by hour, a row for a hundred masterchain steps (src/tables/sums/sums.ts).
CREATE TABLE IF NOT EXISTS {db}.trade_hours{cluster}
(
    hour DateTime('UTC') COMMENT 'Start of the hour, UTC.' CODEC(ZSTD(1)),
    pool String COMMENT 'Pool.' CODEC(ZSTD(1)),
    project LowCardinality(String) COMMENT 'Exchange or launchpad.' CODEC(ZSTD(1)),
    version UInt8 COMMENT 'Version of the exchange\'s contracts.' CODEC(ZSTD(1)),
    router LowCardinality(String) COMMENT 'Router.' CODEC(ZSTD(1)),
    sold String COMMENT 'Master of the sold jetton, or TON; empty for launches.' CODEC(ZSTD(1)),
    bought String COMMENT 'Master of the bought jetton, or TON; empty for launches.' CODEC(ZSTD(1)),
    steps UInt32 COMMENT 'Masterchain steps of the row: mc_seqno / 100, rounded down.' CODEC(ZSTD(1)),
    trades Int64 COMMENT 'Trades.' CODEC(ZSTD(1)),
    amount_sold Int256 COMMENT 'Sold amount in smallest units.' CODEC(ZSTD(1)),
    amount_bought Int256 COMMENT 'Bought amount in smallest units.' CODEC(ZSTD(1)),
    INDEX by_pool pool TYPE bloom_filter GRANULARITY 1
)
ENGINE = {engine:SummingMergeTree((trades, amount_sold, amount_bought))}
ORDER BY (hour, pool, project, version, router, sold, bought, steps)
SETTINGS index_granularity = 1024
COMMENT 'Trades by hour, pool and tokens.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.trade_hours_mv{cluster} TO {db}.trade_hours AS
SELECT toStartOfHour(toDateTime(time, 'UTC')) AS hour,
    pool,
    project,
    version,
    router,
    ifNull(sold, '') AS sold,
    ifNull(bought, '') AS bought,
    intDiv(mc_seqno, 100) AS steps,
    CAST(sum(1), 'Int64') AS trades,
    CAST(sum(if(amount_sold < toUInt256('100000000000000000000000000000000000000'), toInt256(amount_sold), toInt256(0))), 'Int256') AS amount_sold,
    CAST(sum(if(amount_bought < toUInt256('100000000000000000000000000000000000000'), toInt256(amount_bought), toInt256(0))), 'Int256') AS amount_bought
FROM {db}.land_trades
GROUP BY hour, pool, project, version, router, sold, bought, steps;
