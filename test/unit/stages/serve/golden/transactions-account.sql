SELECT <transaction columns>
FROM base.account_transactions
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND account = unhex({account:String})
AND workchain = {account_workchain:Int32}
AND lt <= {end_lt:UInt64}
ORDER BY lt DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- account = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- account_workchain = 0
-- end_lt = "9"
-- limit = 100
-- offset = 0
