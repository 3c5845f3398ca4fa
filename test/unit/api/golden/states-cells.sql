SELECT workchain, hex(account), base64Encode(boc)
FROM base.account_cells
WHERE (account, workchain, lt, hash) IN (SELECT toFixedString(unhex(s.1), 32), s.2, s.3, toFixedString(base64Decode(s.4), 32)
FROM (SELECT arrayJoin(arrayZip({accounts:Array(String)}, {accounts_workchains:Array(Int32)}, {lts:Array(UInt64)}, {hashes:Array(String)})) AS s)
UNION ALL SELECT account, workchain, min(lt), argMin(hash, lt)
FROM base.account_cells
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({accounts:Array(String)}, {accounts_workchains:Array(Int32)})) AS a))
AND mc_seqno <= {visible_last:UInt32}
GROUP BY account, workchain)
-- accounts = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]
-- accounts_workchains = [0]
-- lts = "[5]"
-- hashes = ["kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ="]
-- visible_last = 90
