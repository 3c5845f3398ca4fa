-- What does a protocol do, read by opcode: operations, users and TON per day?
-- panel: table
SELECT
    m.block_date AS day,
    n.name AS operation,
    count() AS messages,
    uniqExact(m.source) AS senders,
    uniqExact(m.destination) AS contracts,
    sum(m.value) / 1e9 AS ton
FROM messages AS m
INNER JOIN (SELECT opcode, any(name) AS name FROM opcodes GROUP BY opcode) AS n ON n.opcode = m.opcode
WHERE m.direction = 'in' AND NOT m.bounced AND m.block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY day, operation
ORDER BY day DESC, messages DESC
LIMIT 1000
