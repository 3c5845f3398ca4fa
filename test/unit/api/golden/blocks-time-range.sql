SELECT <block columns>
FROM base.blocks
WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_time
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND workchain = {workchain:Int32}
AND gen_utime >= {start_utime:UInt32}
AND gen_utime <= {end_utime:UInt32}
AND start_lt >= {start_lt:UInt64}
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32})
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
-- visible_first = 10
-- visible_last = 90
-- workchain = 0
-- start_utime = 1
-- end_utime = 2
-- start_lt = "3"
-- limit = 100
-- offset = 0
