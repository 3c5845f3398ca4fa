-- What net value changes hands per day and asset, with thin tokens capped by their liquidity?
-- panel: table
WITH moves AS
(
    SELECT block_date, '0:0000000000000000000000000000000000000000000000000000000000000000' AS token, source, destination, toFloat64(value) AS amount
    FROM messages
    WHERE direction = 'in' AND NOT bounced AND value > 0 AND source IS NOT NULL AND block_date BETWEEN {from:Date} AND {to:Date}
    UNION ALL
    SELECT block_date, jetton_master AS token, source, destination, toFloat64(amount) AS amount
    FROM jetton_events
    WHERE type = 'transfer' AND NOT tx_aborted AND block_date BETWEEN {from:Date} AND {to:Date}
),
changes AS
(
    SELECT block_date, token, address, sum(change) AS net
    FROM
    (
        SELECT block_date, token, destination AS address, amount AS change FROM moves
        UNION ALL
        SELECT block_date, token, source AS address, -amount AS change FROM moves
    )
    GROUP BY block_date, token, address
),
liquidity AS
(
    SELECT side, max(tvl_ton) AS ton
    FROM
    (
        SELECT jetton_left AS side, tvl_ton FROM dex_pools
        UNION ALL
        SELECT jetton_right AS side, tvl_ton FROM dex_pools
    )
    GROUP BY side
)
SELECT
    c.block_date AS day,
    c.token AS token,
    sum(greatest(c.net, 0)) AS net_amount,
    sum(greatest(c.net, 0)) * any(p.price_ton) AS uncapped_ton,
    if(uncapped_ton > toFloat64(any(l.ton)), toFloat64(any(l.ton)), uncapped_ton) AS net_ton,
    sum(greatest(c.net, 0)) * any(p.price_usd) AS net_usd
FROM changes AS c
LEFT JOIN prices_daily AS p ON p.token_address = c.token AND toDate(p.timestamp) = c.block_date
LEFT JOIN liquidity AS l ON l.side = c.token
GROUP BY c.block_date, c.token
ORDER BY day DESC, net_ton DESC NULLS LAST
LIMIT 1000
