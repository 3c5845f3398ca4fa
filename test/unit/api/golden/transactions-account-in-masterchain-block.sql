SELECT <transaction columns>
FROM base.account_transactions PREWHERE lt >= 1000
AND lt <= 2000
AND account = unhex({account:String})
AND workchain = {account_workchain:Int32}
AND mc_seqno = {mc_seqno:UInt32}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- account = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- account_workchain = 0
-- mc_seqno = 50
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
