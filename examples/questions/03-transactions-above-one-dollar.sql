-- How many transactions a day move more than one dollar, in TON or jettons?
-- panel: timeseries
WITH moved AS
(
    SELECT block_date, tx_hash, toFloat64(value) AS amount, '0:0000000000000000000000000000000000000000000000000000000000000000' AS token
    FROM messages
    WHERE direction = 'in' AND NOT bounced AND value > 0 AND block_date BETWEEN {from:Date} AND {to:Date}
    UNION ALL
    SELECT block_date, tx_hash, toFloat64(amount) AS amount, jetton_master AS token
    FROM jetton_events
    WHERE type = 'transfer' AND NOT tx_aborted AND block_date BETWEEN {from:Date} AND {to:Date}
)
SELECT
    m.block_date AS day,
    uniqExact(m.tx_hash) AS transactions,
    uniqExactIf(m.tx_hash, m.amount * p.price_usd > 1) AS above_one_dollar
FROM moved AS m
LEFT JOIN prices_daily AS p ON p.token_address = m.token AND toDate(p.timestamp) = m.block_date
GROUP BY day
ORDER BY day
