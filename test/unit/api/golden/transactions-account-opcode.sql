SELECT <transaction columns>
FROM base.account_transactions PREWHERE account = unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
AND workchain = {Int32 0}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND (lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain
FROM base.messages
WHERE (created_lt, hash8) IN (SELECT created_lt, hash8
FROM base.messages_by_opcode
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND opcode = {UInt32 7})
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND opcode = {UInt32 7}
AND side = {String "in"})
ORDER BY lt DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
