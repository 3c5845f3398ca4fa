-- What was an address's balance on each day, gaps filled?
-- panel: timeseries
SELECT
    assumeNotNull(block_date) AS day,
    toFloat64(argMax(amount, lt)) / 1e9 AS ton
FROM balances_history
WHERE asset = 'TON' AND address = {address:String} AND block_date <= {to:Date}
GROUP BY day
ORDER BY day WITH FILL TO {to:Date} + 1 INTERPOLATE (ton AS ton)
