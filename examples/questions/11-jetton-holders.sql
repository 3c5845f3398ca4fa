-- How concentrated are a jetton's holders now, and how much TON do they hold?
-- panel: table
SELECT
    j.address AS address,
    j.amount AS amount,
    100 * toFloat64(j.amount) / sum(toFloat64(j.amount)) OVER () AS percent,
    100 * sum(toFloat64(j.amount)) OVER (ORDER BY j.amount DESC, j.address) / sum(toFloat64(j.amount)) OVER () AS percent_up_to_here,
    toFloat64(t.amount) / 1e9 AS ton
FROM latest_balances AS j
LEFT JOIN (SELECT address, amount FROM latest_balances WHERE asset = 'TON') AS t ON t.address = j.address
WHERE j.asset = {jetton:String} AND j.amount > 0
ORDER BY amount DESC, address
LIMIT 100
