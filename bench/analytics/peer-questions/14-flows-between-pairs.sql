SELECT
    least(source, destination) AS a,
    greatest(source, destination) AS b,
    sum(value) / 1e9 AS volume_ton,
    sum(CASE WHEN source < destination THEN value ELSE -value END) / 1e9,
    count(*)
FROM messages
WHERE direction = 'in' AND NOT bounced AND value > 0 AND source IS NOT NULL
    AND created_at >= extract(epoch FROM :from) AND created_at < extract(epoch FROM :to + 1)
GROUP BY a, b
ORDER BY volume_ton DESC
LIMIT 100;
