SELECT <state columns>
FROM base.account_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM base.account_states
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({accounts:Array(String)}, {accounts_workchains:Array(Int32)})) AS a))
AND mc_seqno <= {visible_last:UInt32}
GROUP BY account, workchain)
AND mc_seqno <= {visible_last:UInt32}
LIMIT 1 BY account, workchain
-- accounts = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]
-- accounts_workchains = [0,-1]
-- visible_last = 50
