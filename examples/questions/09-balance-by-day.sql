-- What was an address's balance on each day, gaps filled?
-- panel: timeseries
SELECT
    day,
    toFloat64(amount) / 1e9 AS ton
FROM balances_daily
WHERE asset = 'TON' AND address = {address:String} AND day <= {to:Date}
ORDER BY day
