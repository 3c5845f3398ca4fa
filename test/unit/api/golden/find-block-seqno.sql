SELECT <block columns>
FROM base.blocks
WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_id
WHERE workchain = {Int32 0}
AND (shard BETWEEN {UInt64 "1"}
AND {UInt64 "18446744073709551615"} OR has({Array(UInt64) "[]"}, shard))
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND seqno = {UInt32 3}
ORDER BY shard = {UInt64 "9223372036854775808"} DESC, shard
LIMIT 1)
