SELECT <block columns>
FROM base.blocks
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND workchain = {Int32 0}
AND shard = {UInt64 "9223372036854775808"}
AND seqno = {UInt32 3}
AND (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.blocks_by_id
WHERE workchain = {Int32 0}
AND seqno = {UInt32 3}
AND shard = {UInt64 "9223372036854775808"})
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
