SELECT created_lt, hash8
FROM ((SELECT created_lt, hash8
FROM base.messages_by_destination
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND destination = unhex({destination:String})
AND destination_workchain = {destination_workchain:Int32}
AND destination_kind = 'std'
AND created_lt = 0
ORDER BY created_lt DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC
LIMIT 1 BY created_lt, hash8
LIMIT {limit:UInt32} + {offset:UInt32})
UNION ALL (SELECT created_lt, hash8
FROM base.messages_by_destination
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND destination = unhex({destination:String})
AND destination_workchain = {destination_workchain:Int32}
AND destination_kind = 'std'
AND created_lt > 0
ORDER BY created_lt DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC
LIMIT 1 BY created_lt, hash8
LIMIT {limit:UInt32} + {offset:UInt32}))
ORDER BY created_lt = 0 DESC, created_lt DESC, base64Encode(reverse(reinterpretAsFixedString(hash8))) DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- destination = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- destination_workchain = 0
-- limit = 100
-- offset = 0
