-- What do NFT marketplaces sell per day: volume, buyers, sellers and fees?
-- panel: timeseries
SELECT
    block_date AS day,
    marketplace_address AS marketplace,
    count() AS sales,
    sum(sale_price) / 1e9 AS volume_ton,
    sum(marketplace_fee) / 1e9 AS fees_ton,
    uniqExact(owner_address) AS buyers,
    uniqExact(prev_owner) AS sellers
FROM nft_events
WHERE type = 'sale' AND block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY day, marketplace
ORDER BY day, marketplace
