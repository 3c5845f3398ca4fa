SELECT created_lt, hash8
FROM base.messages
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND created_at >= {UInt32 5}
AND created_lt > 0
ORDER BY created_at DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC, created_lt DESC
LIMIT 1 BY created_at, hash8, created_lt
LIMIT {UInt32 100} OFFSET {UInt32 0}
