-- How many transactions a second are there per day?
-- panel: timeseries
SELECT
    block_date AS day,
    count() AS transactions,
    count() / 86400 AS per_second,
    countIf(aborted) AS aborted
FROM transactions
WHERE block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY day
ORDER BY day
