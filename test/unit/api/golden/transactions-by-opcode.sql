SELECT <transaction columns>
FROM base.transaction_payloads
WHERE (lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain
FROM base.messages
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND opcode = {UInt32 7}
AND side = {String "in"}
AND (created_lt, hash8) IN ((SELECT created_lt, hash8
FROM base.messages_by_opcode
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND opcode = {UInt32 7}
AND created_lt > 0
ORDER BY created_lt DESC, hash8 DESC
LIMIT 1 BY created_lt, hash8
LIMIT {UInt32 400})
UNION ALL (SELECT created_lt, hash8
FROM base.messages_by_opcode
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND opcode = {UInt32 7}
AND created_lt = 0
ORDER BY mc_seqno DESC, hash8 DESC
LIMIT 1 BY created_lt, hash8
LIMIT {UInt32 400})))
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC, workchain ASC, account ASC
LIMIT {UInt32 100} OFFSET {UInt32 0}
