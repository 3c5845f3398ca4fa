-- Which tokens lead the last day, bought against sold?
-- panel: table
WITH sides AS
(
    SELECT token_bought_address AS token, volume_ton AS bought, 0 AS sold, trader_address FROM dex_trades WHERE block_date = {to:Date}
    UNION ALL
    SELECT token_sold_address AS token, 0 AS bought, volume_ton AS sold, trader_address FROM dex_trades WHERE block_date = {to:Date}
)
SELECT
    s.token AS token,
    any(m.symbol) AS symbol,
    sum(s.bought) AS bought_ton,
    sum(s.sold) AS sold_ton,
    uniqExact(s.trader_address) AS traders
FROM sides AS s
LEFT JOIN jetton_metadata_latest AS m ON m.address = s.token
GROUP BY token
ORDER BY bought_ton DESC
LIMIT 100
