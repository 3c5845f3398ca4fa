SELECT <block columns>
FROM base.blocks
WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_lt
WHERE workchain = {workchain:Int32}
AND (shard BETWEEN {shard_first:UInt64}
AND {shard_last:UInt64} OR has({shard_ancestors:Array(UInt64)}, shard))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND end_lt >= {lt:UInt64}
ORDER BY end_lt, shard, seqno
LIMIT 1)
-- workchain = 0
-- shard_first = "4611686018427387905"
-- shard_last = "9223372036854775807"
-- shard_ancestors = "[4611686018427387904,9223372036854775808]"
-- visible_first = 10
-- visible_last = 90
-- lt = "7"
