SELECT created_lt, hash8
FROM base.messages
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND created_at >= {start_utime:UInt32}
AND created_lt > 0
ORDER BY created_at DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC, created_lt DESC
LIMIT 1 BY created_at, hash8, created_lt
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- start_utime = 5
-- limit = 100
-- offset = 0
