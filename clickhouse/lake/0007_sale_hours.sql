-- Sums of NFT sales by hour, a row for a hundred masterchain steps (src/tables/sums/sums.ts).
CREATE TABLE IF NOT EXISTS {db}.sale_hours{cluster}
(
    hour DateTime('UTC') COMMENT 'Start of the hour, UTC.' CODEC(ZSTD(1)),
    of_collection String COMMENT 'Collection; empty for none.' CODEC(ZSTD(1)),
    marketplace LowCardinality(String) COMMENT 'Marketplace; empty for none.' CODEC(ZSTD(1)),
    steps UInt32 COMMENT 'Masterchain steps of the row: mc_seqno / 100, rounded down.' CODEC(ZSTD(1)),
    sales Int64 COMMENT 'Sales.' CODEC(ZSTD(1)),
    volume Int128 COMMENT 'Prices, nanotons.' CODEC(ZSTD(1))
)
ENGINE = {engine:SummingMergeTree((sales, volume))}
ORDER BY (hour, of_collection, marketplace, steps)
SETTINGS index_granularity = 1024
COMMENT 'Sales of NFT items by hour, collection and marketplace.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.sale_hours_mv{cluster} TO {db}.sale_hours AS
SELECT toStartOfHour(toDateTime(time, 'UTC')) AS hour,
    ifNull(collection, '') AS of_collection,
    marketplace,
    intDiv(mc_seqno, 100) AS steps,
    CAST(sum(1), 'Int64') AS sales,
    CAST(sum(toInt128(ifNull(price, 0))), 'Int128') AS volume
FROM {db}.land_nft_events
WHERE type = 'sale'
GROUP BY hour, of_collection, marketplace, steps;
