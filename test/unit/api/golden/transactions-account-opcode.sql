SELECT <transaction columns>
FROM base.account_transactions PREWHERE account = unhex({account:String})
AND workchain = {account_workchain:Int32}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND (lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain
FROM base.messages
WHERE (created_lt, hash8) IN (SELECT created_lt, hash8
FROM base.messages_by_opcode
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND opcode = {opcode:UInt32})
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND opcode = {opcode:UInt32}
AND side = {side:String})
ORDER BY lt DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- account = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- account_workchain = 0
-- visible_first = 10
-- visible_last = 90
-- opcode = 7
-- side = "in"
-- limit = 100
-- offset = 0
