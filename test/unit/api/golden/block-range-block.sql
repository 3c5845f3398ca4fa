SELECT min(start_lt), max(end_lt)
FROM base.blocks_by_id PREWHERE workchain = {Int32 0}
AND seqno = {UInt32 3}
AND shard = {UInt64 "9223372036854775808"}
