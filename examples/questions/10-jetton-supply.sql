-- What is a jetton's supply by the sum of balances, and how many hold it, day by day?
-- panel: timeseries
WITH days AS
(
    SELECT address, assumeNotNull(block_date) AS day, toFloat64(argMax(amount, lt)) AS held
    FROM balances_history
    WHERE asset = {jetton:String} AND block_date <= {to:Date}
    GROUP BY address, day
),
changes AS
(
    SELECT day, held, lagInFrame(held, 1, 0.) OVER (PARTITION BY address ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
    FROM days
)
SELECT
    day,
    sum(sum(held - before)) OVER (ORDER BY day) AS supply,
    sum(sum(toInt64(held > 0) - toInt64(before > 0))) OVER (ORDER BY day) AS holders
FROM changes
GROUP BY day
ORDER BY day
