-- How much flows between each pair of addresses, net and in total?
-- panel: table
SELECT
    least(source, destination) AS a,
    greatest(source, destination) AS b,
    sum(value) / 1e9 AS volume_ton,
    sum(if(source < destination, value, -value)) / 1e9 AS net_a_to_b_ton,
    count() AS messages
FROM messages
WHERE direction = 'in' AND NOT bounced AND value > 0 AND source IS NOT NULL AND block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY a, b
ORDER BY volume_ton DESC
LIMIT 100
