-- Who funded an address first, and who funded the funder?
-- panel: table
WITH funded AS
(
    SELECT destination AS address, argMin(source, tx_lt) AS funder, min(block_time) AS funded_at, argMin(value, tx_lt) AS value
    FROM messages
    WHERE direction = 'in' AND NOT bounced AND value > 0 AND source IS NOT NULL AND block_date <= {to:Date}
    GROUP BY address
)
SELECT
    f.address AS address,
    f.funded_at AS funded_at,
    f.value / 1e9 AS value_ton,
    f.funder AS funder,
    g.funder AS funder_of_funder
FROM funded AS f
LEFT JOIN funded AS g ON g.address = f.funder
ORDER BY funded_at DESC
LIMIT 100
