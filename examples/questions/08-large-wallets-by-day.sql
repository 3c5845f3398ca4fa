-- How many addresses hold at least 1,000 or 10,000 TON, day by day?
-- panel: timeseries
WITH days AS
(
    SELECT address, assumeNotNull(block_date) AS day, toFloat64(argMax(amount, lt)) / 1e9 AS ton
    FROM balances_history
    WHERE asset = 'TON' AND block_date <= {to:Date}
    GROUP BY address, day
),
changes AS
(
    SELECT day, ton, lagInFrame(ton, 1, 0.) OVER (PARTITION BY address ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
    FROM days
)
SELECT
    day,
    sum(sum(toInt64(ton >= 1000) - toInt64(before >= 1000))) OVER (ORDER BY day) AS at_least_1000,
    sum(sum(toInt64(ton >= 10000) - toInt64(before >= 10000))) OVER (ORDER BY day) AS at_least_10000
FROM changes
GROUP BY day
ORDER BY day
