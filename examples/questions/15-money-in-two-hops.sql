-- Where did the money of one address go, within two hops?
-- panel: table
WITH sent AS
(
    SELECT source, destination, sum(value) / 1e9 AS ton
    FROM messages
    WHERE direction = 'in' AND NOT bounced AND value > 0 AND source IS NOT NULL AND block_date BETWEEN {from:Date} AND {to:Date}
    GROUP BY source, destination
)
SELECT
    if(source = {address:String}, 1, 2) AS hop,
    source,
    destination,
    ton
FROM sent
WHERE destination != {address:String}
    AND (source = {address:String} OR source IN (SELECT destination FROM sent WHERE source = {address:String}))
ORDER BY hop, ton DESC
LIMIT 200
