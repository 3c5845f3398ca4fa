SELECT <transaction columns>
FROM base.transaction_payloads PREWHERE lt = {UInt64 "7"}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt ASC, workchain DESC, account DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
