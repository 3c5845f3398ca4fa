SELECT <transaction columns>
FROM base.account_transactions
WHERE (account, workchain, lt) IN (SELECT account, workchain, lt
FROM ((SELECT account, workchain, lt, now
FROM base.account_transactions
WHERE account = unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
AND workchain = {Int32 0}
AND now >= {UInt32 1}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT {UInt32 100} + {UInt32 0})
UNION ALL (SELECT account, workchain, lt, now
FROM base.account_transactions
WHERE account = unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND workchain = {Int32 -1}
AND now >= {UInt32 1}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT {UInt32 100} + {UInt32 0}))
ORDER BY now DESC, lt DESC, workchain ASC, account ASC
LIMIT {UInt32 100} OFFSET {UInt32 0})
ORDER BY now DESC, lt DESC, workchain ASC, account ASC
