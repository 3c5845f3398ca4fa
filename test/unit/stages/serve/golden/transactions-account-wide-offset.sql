SELECT <transaction columns>
FROM base.account_transactions
WHERE (account, workchain, lt) IN (SELECT account, workchain, lt
FROM base.account_transactions
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND account = unhex({account:String})
AND workchain = {account_workchain:Int32}
ORDER BY lt DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32})
ORDER BY lt DESC
-- visible_first = 10
-- visible_last = 90
-- account = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- account_workchain = 0
-- limit = 100
-- offset = 5000
