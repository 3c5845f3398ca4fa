WITH paid AS
(
    SELECT to_timestamp(now)::date AS day, trace_id, (array_agg(account ORDER BY lt))[1] AS initiator, sum(total_fees) AS fees
    FROM transactions
    WHERE now >= extract(epoch FROM :from) AND now < extract(epoch FROM :to + 1)
    GROUP BY day, trace_id
),
payers AS
(
    SELECT day, initiator, sum(fees) AS fees FROM paid GROUP BY day, initiator
)
SELECT day, sum(fees) / 1e9, count(*), (array_agg(initiator ORDER BY fees DESC))[1], max(fees) / 1e9
FROM payers
GROUP BY day
ORDER BY day;
