-- Sales of NFT items, by collection and marketplace, by day.
-- reads: lake
-- needs: lake.sale_hours.hour
SELECT
    h.block_date AS day, -- The day, UTC
    h.collection_address AS collection_address, -- Collection; null without one
    h.marketplace_address AS marketplace_address, -- Marketplace; null without one
    toInt64(sum(h.sales)) AS sales, -- Sales
    CAST(sum(h.volume), 'Nullable(Decimal(38, 0))') AS volume, -- Prices, nanotons
    toDateTime(h.block_date, 'UTC') AS block_time, -- Start of the day, UTC
    h.block_date AS block_date -- The day, UTC
FROM {views}.nft_volume_hourly AS h
GROUP BY h.block_date, h.collection_address, h.marketplace_address
