SELECT <block columns>
FROM base.blocks
WHERE mc_seqno = {UInt32 50}
ORDER BY workchain, shard, seqno
LIMIT {UInt32 100} OFFSET {UInt32 0}
