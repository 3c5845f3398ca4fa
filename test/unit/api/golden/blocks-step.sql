SELECT <block columns>
FROM base.blocks
WHERE mc_seqno = {mc_seqno:UInt32}
ORDER BY workchain, shard, seqno
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- mc_seqno = 50
-- limit = 100
-- offset = 0
