SELECT min(start_lt), max(end_lt)
FROM base.blocks_by_id PREWHERE workchain = {workchain:Int32}
AND seqno = {seqno:UInt32}
AND shard = {shard:UInt64}
-- workchain = 0
-- seqno = 3
-- shard = "9223372036854775808"
