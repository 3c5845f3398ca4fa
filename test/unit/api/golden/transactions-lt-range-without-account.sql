SELECT <transaction columns>
FROM base.{{packed_transactions}} PREWHERE lt <= (SELECT max(lt)
FROM (SELECT lt
FROM base.transactions PREWHERE (account, workchain) NOT IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({exclude_accounts:Array(String)}, {exclude_accounts_workchains:Array(Int32)})) AS a))
AND lt >= {start_lt:UInt64}
AND lt <= {end_lt:UInt64}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt ASC
LIMIT {limit:UInt32} + {offset:UInt32}))
AND (account, workchain) NOT IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({exclude_accounts:Array(String)}, {exclude_accounts_workchains:Array(Int32)})) AS a))
AND lt >= {start_lt:UInt64}
AND lt <= {end_lt:UInt64}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt ASC, workchain, account
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- exclude_accounts = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]
-- exclude_accounts_workchains = [0]
-- start_lt = "5"
-- end_lt = "9"
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
