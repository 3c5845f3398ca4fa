-- What did every token cost each day, in TON and dollars?
-- panel: timeseries
SELECT
    toDate(timestamp) AS day,
    token_address AS token,
    price_ton * 1e9 AS price_ton,
    price_usd * 1e9 AS price_usd,
    asset_type
FROM prices_daily
WHERE toDate(timestamp) BETWEEN {from:Date} AND {to:Date}
ORDER BY day, token
