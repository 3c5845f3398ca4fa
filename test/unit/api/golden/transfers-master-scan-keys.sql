(SELECT lt, hex(account), workchain, now
FROM contracts.token_transfer_keys PREWHERE key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND role = 'parent'
AND kind = 'jetton_transfer'
AND mc_seqno <= {UInt32 90}
AND lt <= {UInt64 "5"}
AND (lt < {UInt64 "5"} OR (account <= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account < unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain < {Int32 -1}))))
ORDER BY key DESC, kind DESC, role DESC, lt DESC, account DESC, workchain DESC
LIMIT {UInt32 100})
UNION ALL (SELECT lt, hex(account), workchain, now
FROM contracts.token_transfer_keys PREWHERE key IN (SELECT account
FROM detections.tokens_by_parent
WHERE (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'jetton_wallet')
AND role = 'account'
AND kind = 'jetton_transfer'
AND mc_seqno <= {UInt32 90}
AND lt <= {UInt64 "5"}
AND (lt < {UInt64 "5"} OR (account <= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account < unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain < {Int32 -1}))))
ORDER BY lt DESC, account DESC, workchain DESC
LIMIT {UInt32 100})
