-- Prices of tokens by day, from the trades of the day. All forms of TON have the same price. Days without a trade of the token have no row.
-- reads: lake base
-- adds: contracts detections
SELECT
    'ton' AS blockchain, -- ton
    p.token AS token_address, -- Master of the jetton; address zero and the wrapped forms for TON
    toDateTime(p.day, 'UTC') AS timestamp, -- Start of the day, UTC
    p.price_ton AS price_ton, -- TON for one smallest unit; null if no trade connects the token with TON
    p.price_usd AS price_usd, -- Dollars for one smallest unit; null if no trade connects the token with a dollar token
    if(p.is_ton, 'TON', 'Jetton') AS asset_type, -- TON or Jetton
    toDateTime(p.day, 'UTC') AS block_time, -- Start of the day, UTC
    p.day AS block_date -- The day, UTC
FROM
(
    SELECT
        q.day AS day, q.is_ton AS is_ton, arrayJoin(if(q.is_ton, {tons}, [q.asset])) AS token,
        max(if(q.is_ton, q.by_usd, NULL)) OVER (PARTITION BY q.day) AS ton_usd,
        multiIf(q.is_ton, 1e-9, q.by_ton IS NOT NULL, q.by_ton, q.by_usd / (ton_usd * 1e9)) AS price_ton,
        multiIf(q.is_dollar, 1e-6, q.by_usd IS NOT NULL, q.by_usd, q.by_ton * 1e9 * ton_usd) AS price_usd
    FROM
    (
        SELECT
            g.day AS day, g.asset AS asset, g.asset = 'TON' AS is_ton, {is_dollar g.asset} AS is_dollar,
            sumIf(g.other_amount, g.is_other_ton) / 1e9 / nullIf(sumIf(g.amount, g.is_other_ton), 0) AS by_ton,
            sumIf(g.other_amount, g.is_other_dollar) / 1e6 / nullIf(sumIf(g.amount, g.is_other_dollar), 0) AS by_usd
        FROM
        (
            SELECT
                toDate(toDateTime(t.time, 'UTC')) AS day,
                arrayJoin([(t.sold, t.amount_sold, t.bought, t.amount_bought), (t.bought, t.amount_bought, t.sold, t.amount_sold)]) AS leg,
                if({is_ton leg.1}, 'TON', leg.1) AS asset, toFloat64(leg.2) AS amount, toFloat64(leg.4) AS other_amount,
                {is_ton leg.3} AS is_other_ton, {is_dollar leg.3} AS is_other_dollar
            FROM {lake}.trades AS t
            WHERE {known_trade t} AND t.sold != ''
        ) AS g
        GROUP BY g.day, g.asset
    ) AS q
) AS p
