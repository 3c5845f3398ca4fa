SELECT <block columns>
FROM base.blocks
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND mc_seqno = {UInt32 50}
ORDER BY gen_utime DESC, workchain DESC, shard DESC, seqno DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
