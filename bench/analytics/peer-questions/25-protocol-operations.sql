SELECT to_timestamp(created_at)::date AS day, opcode, count(*), count(DISTINCT source), count(DISTINCT destination), sum(value) / 1e9
FROM messages
WHERE direction = 'in' AND NOT bounced AND opcode IS NOT NULL
    AND created_at >= extract(epoch FROM :from) AND created_at < extract(epoch FROM :to + 1)
GROUP BY day, opcode
ORDER BY day DESC, 3 DESC
LIMIT 1000;
