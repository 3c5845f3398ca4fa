-- What volume and how many traders has each DEX per day, and who trades most?
-- panel: timeseries
SELECT
    block_date AS day,
    project,
    count() AS trades,
    uniqExact(trader_address) AS traders,
    sum(volume_ton) AS volume_ton,
    sum(volume_usd) AS volume_usd,
    topKWeighted(1)(trader_address, toUInt64(ifNull(toFloat64(volume_ton), 0)))[1] AS trades_most
FROM dex_trades
WHERE project_type = 'dex' AND block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY day, project
ORDER BY day, project
