-- What do users pay in fees per day, in TON and dollars, and which initiator of traces pays most?
-- panel: timeseries
WITH paid AS
(
    SELECT block_date, trace_id, argMin(account, lt) AS initiator, sum(total_fees) AS fees
    FROM transactions
    WHERE block_date BETWEEN {from:Date} AND {to:Date}
    GROUP BY block_date, trace_id
),
payers AS
(
    SELECT block_date, initiator, sum(fees) AS fees FROM paid GROUP BY block_date, initiator
),
ton AS
(
    SELECT toDate(timestamp) AS priced_on, any(price_usd) AS price
    FROM prices_daily
    WHERE token_address = '0:0000000000000000000000000000000000000000000000000000000000000000'
    GROUP BY priced_on
)
SELECT
    p.block_date AS day,
    sum(p.fees) / 1e9 AS fees_ton,
    sum(p.fees) * any(t.price) AS fees_usd,
    count() AS initiators,
    argMax(p.initiator, p.fees) AS pays_most,
    max(p.fees) / 1e9 AS pays_most_ton
FROM payers AS p
LEFT JOIN ton AS t ON t.priced_on = p.block_date
GROUP BY p.block_date
ORDER BY day
