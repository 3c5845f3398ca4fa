WITH funded AS
(
    SELECT DISTINCT ON (destination) destination AS address, source AS funder, created_at AS funded_at, value
    FROM messages
    WHERE direction = 'in' AND NOT bounced AND value > 0 AND source IS NOT NULL
        AND created_at < extract(epoch FROM :to + 1)
    ORDER BY destination, tx_lt
)
SELECT f.address, to_timestamp(f.funded_at), f.value / 1e9, f.funder, g.funder
FROM funded AS f
LEFT JOIN funded AS g ON g.address = f.funder
ORDER BY f.funded_at DESC
LIMIT 100;
