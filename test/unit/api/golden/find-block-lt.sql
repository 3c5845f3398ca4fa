SELECT <block columns>
FROM base.blocks
WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_lt
WHERE workchain = {Int32 0}
AND (shard BETWEEN {UInt64 "4611686018427387905"}
AND {UInt64 "9223372036854775807"} OR has({Array(UInt64) "[4611686018427387904,9223372036854775808]"}, shard))
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND end_lt >= {UInt64 "7"}
ORDER BY end_lt, shard, seqno
LIMIT 1)
