WITH sent AS
(
    SELECT source, destination, sum(value) / 1e9 AS ton
    FROM messages
    WHERE direction = 'in' AND NOT bounced AND value > 0 AND source IS NOT NULL
        AND created_at >= extract(epoch FROM :from) AND created_at < extract(epoch FROM :to + 1)
        AND (source = :address OR source IN (SELECT destination FROM messages WHERE source = :address AND direction = 'in'))
    GROUP BY source, destination
)
SELECT CASE WHEN source = :address THEN 1 ELSE 2 END AS hop, source, destination, ton
FROM sent
WHERE destination != :address
ORDER BY hop, ton DESC
LIMIT 200;
