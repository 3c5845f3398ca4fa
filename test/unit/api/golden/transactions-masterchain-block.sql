SELECT <transaction columns>
FROM base.transaction_payloads PREWHERE lt >= 1000
AND lt <= 2000
AND mc_seqno = {UInt32 50}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC, workchain ASC, account ASC
LIMIT {UInt32 100} OFFSET {UInt32 0}
