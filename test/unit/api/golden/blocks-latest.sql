SELECT <block columns>
FROM base.blocks
WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_time
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32})
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
