SELECT source, sum(value) / 1e9 AS ton, count(*), count(DISTINCT destination)
FROM messages
WHERE direction = 'in' AND NOT bounced AND value > 0 AND source IS NOT NULL
    AND created_at >= extract(epoch FROM :from) AND created_at < extract(epoch FROM :to + 1)
GROUP BY source
ORDER BY ton DESC
LIMIT 100;
