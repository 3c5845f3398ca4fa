SELECT <block columns>
FROM base.blocks
WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_time
WHERE workchain = {workchain:Int32}
AND (shard BETWEEN {shard_first:UInt64}
AND {shard_last:UInt64} OR has({shard_ancestors:Array(UInt64)}, shard))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND gen_utime >= {utime:UInt32}
ORDER BY gen_utime, workchain, shard, seqno
LIMIT 1)
-- workchain = -1
-- shard_first = "1"
-- shard_last = "18446744073709551615"
-- shard_ancestors = "[]"
-- visible_first = 10
-- visible_last = 90
-- utime = 7
