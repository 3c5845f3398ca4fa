SELECT <transaction columns>
FROM base.transaction_payloads
WHERE (lt, account, workchain) IN (SELECT lt, account, workchain
FROM base.transactions PREWHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC, workchain ASC, account ASC
LIMIT {UInt32 100} OFFSET {UInt32 5000})
ORDER BY lt DESC, workchain ASC, account ASC
