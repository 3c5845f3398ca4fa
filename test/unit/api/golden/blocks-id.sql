SELECT <block columns>
FROM base.blocks
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND workchain = {workchain:Int32}
AND shard = {shard:UInt64}
AND seqno = {seqno:UInt32}
AND (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_id
WHERE workchain = {workchain:Int32}
AND seqno = {seqno:UInt32}
AND shard = {shard:UInt64})
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- workchain = 0
-- shard = "9223372036854775808"
-- seqno = 3
-- limit = 100
-- offset = 0
