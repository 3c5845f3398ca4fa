-- Trades and volume at exchanges and launchpads, by pool and tokens, by day.
-- reads: lake base
-- adds: contracts detections
-- needs: lake.trade_hours.hour
SELECT
    h.block_date AS day, -- The day, UTC
    h.project AS project, -- Exchange or launchpad
    h.version AS version, -- Version of the exchange's contracts
    h.pool_address AS pool_address, -- Pool
    h.token_sold_address AS token_sold_address, -- Master of the sold jetton, or TON
    h.token_bought_address AS token_bought_address, -- Master of the bought jetton, or TON
    toInt64(sum(h.trades)) AS trades, -- Trades
    CAST(sum(h.amount_sold_raw), 'Nullable(Decimal(38, 0))') AS amount_sold_raw, -- Sold amount, in the token's smallest unit
    CAST(sum(h.amount_bought_raw), 'Nullable(Decimal(38, 0))') AS amount_bought_raw, -- Bought amount, in the token's smallest unit
    CAST(sum(h.volume_usd), 'Nullable(Decimal(38, 6))') AS volume_usd, -- Value of the side in a dollar token, dollars; null without one
    CAST(sum(h.volume_ton), 'Nullable(Decimal(38, 9))') AS volume_ton, -- Value of the side in TON, or by the price of a token on that day, TON; null without one
    toDateTime(h.block_date, 'UTC') AS block_time, -- Start of the day, UTC
    h.block_date AS block_date -- The day, UTC
FROM {views}.dex_volume_hourly AS h
GROUP BY h.block_date, h.project, h.version, h.pool_address, h.token_sold_address, h.token_bought_address
