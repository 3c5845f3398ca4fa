SELECT 0, workchain, hex(account), lt, base64Encode(hash), toString(status), balance, extra, base64Encode(code_hash), base64Encode(data_hash), base64Encode(frozen_hash)
FROM base.account_states
WHERE (account, workchain, lt) IN (SELECT toFixedString(unhex(s.1), 32), s.2, s.3
FROM (SELECT arrayJoin(arrayZip({state_accounts:Array(String)}, {state_workchains:Array(Int32)}, {state_lts:Array(UInt64)})) AS s))
AND mc_seqno <= {visible_last:UInt32}
UNION ALL SELECT 1, workchain, hex(account), 0, '', '', 0, CAST(map(), 'Map(UInt32, UInt256)'), base64Encode(code_hash), '', ''
FROM (SELECT account, workchain, code_hash
FROM base.accounts_latest
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({accounts:Array(String)}, {accounts_workchains:Array(Int32)})) AS a))
ORDER BY account, workchain, lt DESC
LIMIT 1 BY account, workchain)
-- state_accounts = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]
-- state_workchains = [0]
-- state_lts = "[5]"
-- visible_last = 90
-- accounts = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]
-- accounts_workchains = [0,-1]
