-- Which receivers get numbered memos from many senders, as deposit addresses of exchanges do?
-- panel: table
SELECT
    destination AS receiver,
    uniqExact(source) AS senders,
    uniqExact(comment) AS memos,
    countIf(match(comment, '[0-9]{3,}')) AS numbered,
    sum(value) / 1e9 AS ton
FROM messages
WHERE direction = 'in' AND NOT bounced AND comment != '' AND block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY receiver
HAVING numbered > 0
ORDER BY numbered DESC, senders DESC
LIMIT 100
