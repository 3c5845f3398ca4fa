SELECT <block columns>
FROM (SELECT *
FROM base.blocks
WHERE mc_seqno = {UInt32 50}
AND workchain = -1
UNION ALL SELECT *
FROM base.blocks
WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_id
WHERE (workchain, seqno, shard) IN (SELECT workchain, seqno, shard
FROM base.shards
WHERE mc_seqno = {UInt32 50})
AND mc_seqno <= {UInt32 50}))
ORDER BY workchain, shard, seqno
