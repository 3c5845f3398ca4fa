SELECT <transaction columns>
FROM base.{{packed_transactions}}
WHERE (lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain
FROM base.messages
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND opcode = {opcode:UInt32}
AND side = {side:String}
AND (created_lt, hash8) IN ((SELECT created_lt, hash8
FROM base.messages_by_opcode
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND opcode = {opcode:UInt32}
AND created_lt > 0
ORDER BY created_lt DESC, hash8 DESC
LIMIT 1 BY created_lt, hash8
LIMIT {candidates:UInt32})
UNION ALL (SELECT created_lt, hash8
FROM base.messages_by_opcode
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND opcode = {opcode:UInt32}
AND created_lt = 0
ORDER BY mc_seqno DESC, hash8 DESC
LIMIT 1 BY created_lt, hash8
LIMIT {candidates:UInt32})))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC, workchain, account
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- opcode = 7
-- side = "in"
-- candidates = 400
-- limit = 100
-- offset = 0
