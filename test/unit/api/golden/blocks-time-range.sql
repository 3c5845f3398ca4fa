SELECT <block columns>
FROM base.blocks
WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_time
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND workchain = {Int32 0}
AND gen_utime >= {UInt32 1}
AND gen_utime <= {UInt32 2}
AND start_lt >= {UInt64 "3"}
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
LIMIT {UInt32 100} OFFSET {UInt32 0})
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
