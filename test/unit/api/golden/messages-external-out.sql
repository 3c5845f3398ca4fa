SELECT created_lt, hash8
FROM ((SELECT created_lt, hash8
FROM base.messages
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND kind = 'ext_out'
AND created_lt > 0
ORDER BY created_lt DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC
LIMIT 1 BY created_lt, hash8
LIMIT {UInt32 100} + {UInt32 0}))
ORDER BY created_lt = 0 DESC, created_lt DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
