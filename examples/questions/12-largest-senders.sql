-- Which addresses send most TON, and what do their comments say?
-- panel: table
SELECT
    source AS sender,
    sum(value) / 1e9 AS ton,
    count() AS messages,
    uniq(destination) AS receivers,
    groupUniqArray(5)(comment) AS comments
FROM messages
WHERE direction = 'in' AND NOT bounced AND value > 0 AND source IS NOT NULL AND block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY sender
ORDER BY ton DESC
LIMIT 100
