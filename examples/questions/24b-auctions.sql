-- What is paid in auctions of names and usernames per day, by collection?
-- panel: timeseries
SELECT
    block_date AS day,
    collection_address AS collection,
    countIf(type = 'bid') AS bids,
    uniqExactIf(owner_address, type = 'bid') AS bidders,
    countIf(type = 'sale') AS sales,
    sumIf(sale_price, type = 'sale') / 1e9 AS paid_ton
FROM nft_events
WHERE sale_type = 'auction' AND block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY day, collection
ORDER BY day, collection
