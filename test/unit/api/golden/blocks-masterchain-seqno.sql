SELECT <block columns>
FROM base.blocks
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND mc_seqno = {mc_seqno:UInt32}
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- mc_seqno = 50
-- limit = 100
-- offset = 0
