SELECT <block columns>
FROM base.blocks
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND root_hash = unhex({String "CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD"})
AND (mc_seqno, workchain, shard, seqno) IN (SELECT mc_seqno, workchain, shard, seqno
FROM base.block_hashes
WHERE hash8 IN (SELECT arrayJoin({Array(UInt64) "[14829735431805717965]"})))
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
