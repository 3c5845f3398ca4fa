-- How many transactions a second are there per day?
-- panel: timeseries
SELECT
    day,
    sum(transactions) AS transactions,
    sum(transactions) / 86400 AS per_second,
    sum(aborted) AS aborted
FROM transactions_daily
WHERE day BETWEEN {from:Date} AND {to:Date}
GROUP BY day
ORDER BY day
