SELECT to_timestamp(now)::date AS day, count(*), count(*) / 86400.0, count(*) FILTER (WHERE aborted)
FROM transactions
WHERE now >= extract(epoch FROM :from) AND now < extract(epoch FROM :to + 1)
GROUP BY day
ORDER BY day;
