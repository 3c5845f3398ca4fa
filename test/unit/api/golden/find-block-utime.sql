SELECT <block columns>
FROM base.blocks
WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_time
WHERE workchain = {Int32 -1}
AND (shard BETWEEN {UInt64 "1"}
AND {UInt64 "18446744073709551615"} OR has({Array(UInt64) "[]"}, shard))
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND gen_utime >= {UInt32 7}
ORDER BY gen_utime, workchain, shard, seqno
LIMIT 1)
