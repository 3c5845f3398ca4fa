SELECT gen_utime, tx_count, start_lt, end_lt
FROM base.blocks_by_time
WHERE tx_count > 0
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND gen_utime >= {UInt32 5}
AND workchain = {Int32 0}
ORDER BY gen_utime DESC
LIMIT {UInt32 100} WITH TIES
