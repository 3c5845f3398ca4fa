SELECT min(gen_utime), max(gen_utime), min(first_lt), max(last_lt), toUInt32(sum(transactions))
FROM (SELECT *, sum(transactions) OVER (ORDER BY gen_utime DESC ROWS BETWEEN UNBOUNDED PRECEDING
AND CURRENT ROW) - transactions AS before
FROM (SELECT gen_utime, sum(tx_count) AS transactions, min(start_lt) AS first_lt, max(end_lt) AS last_lt
FROM (SELECT gen_utime, tx_count, start_lt, end_lt
FROM base.blocks_by_time
WHERE tx_count > 0
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND gen_utime >= {UInt32 5}
AND workchain = {Int32 0}
ORDER BY gen_utime DESC
LIMIT {UInt32 100} WITH TIES)
GROUP BY gen_utime))
WHERE before < {UInt32 100}
