SELECT created_lt, hash8
FROM ((SELECT created_lt, hash8
FROM base.messages_by_destination
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND destination = unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
AND destination_workchain = {Int32 0}
AND destination_kind = 'std'
AND created_lt = 0
ORDER BY created_lt DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC
LIMIT 1 BY created_lt, hash8
LIMIT {UInt32 100} + {UInt32 0})
UNION ALL (SELECT created_lt, hash8
FROM base.messages_by_destination
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND destination = unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
AND destination_workchain = {Int32 0}
AND destination_kind = 'std'
AND created_lt > 0
ORDER BY created_lt DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC
LIMIT 1 BY created_lt, hash8
LIMIT {UInt32 100} + {UInt32 0}))
ORDER BY created_lt = 0 DESC, created_lt DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
