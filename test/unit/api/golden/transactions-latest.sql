SELECT <transaction columns>
FROM base.transaction_payloads PREWHERE lt >= (SELECT min(lt)
FROM (SELECT lt
FROM base.transactions PREWHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT {UInt32 100} + {UInt32 0}))
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC, workchain ASC, account ASC
LIMIT {UInt32 100} OFFSET {UInt32 0}
