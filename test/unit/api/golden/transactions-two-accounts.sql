SELECT <transaction columns>
FROM base.account_transactions
WHERE (account, workchain, lt) IN (SELECT account, workchain, lt
FROM ((SELECT account, workchain, lt, now
FROM base.account_transactions
WHERE account = unhex({account_0:String})
AND workchain = {account_workchain_0:Int32}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC
LIMIT {limit:UInt32} + {offset:UInt32})
UNION ALL (SELECT account, workchain, lt, now
FROM base.account_transactions
WHERE account = unhex({account_1:String})
AND workchain = {account_workchain_1:Int32}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC
LIMIT {limit:UInt32} + {offset:UInt32}))
ORDER BY lt DESC, workchain, account
LIMIT {limit:UInt32} OFFSET {offset:UInt32})
ORDER BY lt DESC, workchain, account
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
-- account_0 = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- account_workchain_0 = 0
-- account_1 = "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
-- account_workchain_1 = -1
