-- Trades and volume at exchanges and launchpads, by pool and tokens, by hour.
-- reads: lake base
-- adds: contracts detections
-- needs: lake.trade_hours.hour
SELECT
    t.hour AS hour, -- Start of the hour, UTC
    toString(t.project) AS project, -- Exchange or launchpad
    toNullable(toInt32(t.version)) AS version, -- Version of the exchange's contracts
    t.pool AS pool_address, -- Pool
    t.sold AS token_sold_address, -- Master of the sold jetton; TON is address zero, or the exchange's wrapped TON
    t.bought AS token_bought_address, -- Master of the bought jetton; TON as for the sold one
    toInt64(t.trades) AS trades, -- Trades
    {decimal t.amount_sold} AS amount_sold_raw, -- Sold amount, in the token's smallest unit
    {decimal t.amount_bought} AS amount_bought_raw, -- Bought amount, in the token's smallest unit
    {volume_usd} AS volume_usd, -- Value of the side in a dollar token, dollars; null without one
    {volume_ton} AS volume_ton, -- Value of the side in TON, or by the price of a token on that day, TON; null without one
    t.hour AS block_time, -- The same as hour
    toDate(t.hour) AS block_date -- Date of the hour, UTC
FROM
(
    SELECT
        s.hour AS hour, toUInt32(s.hour) AS time, s.project AS project, s.version AS version, s.router AS router, s.pool AS pool, s.sold AS sold,
        s.bought AS bought, sum(s.trades) AS trades, toUInt256(sum(s.amount_sold)) AS amount_sold, toUInt256(sum(s.amount_bought)) AS amount_bought
    FROM {sums lake trade_hours} AS s
    WHERE {known_pool s} AND s.sold != ''
    GROUP BY s.hour, s.project, s.version, s.router, s.pool, s.sold, s.bought
) AS t
