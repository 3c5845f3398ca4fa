SELECT <transaction columns>
FROM base.account_transactions PREWHERE account = unhex({account:String})
AND workchain = {account_workchain:Int32}
AND now >= {start_utime:UInt32}
AND now <= {end_utime:UInt32}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt ASC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- account = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- account_workchain = 0
-- start_utime = 1
-- end_utime = 2
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
