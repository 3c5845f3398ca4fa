SELECT <block columns>
FROM base.blocks
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND root_hash = unhex({root_hash:String})
AND (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.block_hashes
WHERE hash8 IN (SELECT arrayJoin({hash8s:Array(UInt64)})))
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- root_hash = "CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD"
-- limit = 100
-- offset = 0
-- hash8s = "[14829735431805717965]"
