-- Sales of NFT items, by collection and marketplace, by hour.
-- reads: lake
-- needs: lake.sale_hours.hour
SELECT
    s.hour AS hour, -- Start of the hour, UTC
    nullIf(s.of_collection, '') AS collection_address, -- Collection; null without one
    nullIf(toString(s.marketplace), '') AS marketplace_address, -- Marketplace; null without one
    toInt64(sum(s.sales)) AS sales, -- Sales
    {decimal sum(s.volume)} AS volume, -- Prices, nanotons
    s.hour AS block_time, -- The same as hour
    toDate(s.hour) AS block_date -- Date of the hour, UTC
FROM {sums lake sale_hours} AS s
GROUP BY s.hour, s.of_collection, s.marketplace
