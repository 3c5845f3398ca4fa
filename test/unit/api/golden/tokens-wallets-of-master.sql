SELECT account, payload
FROM contracts.tokens_latest
WHERE (account, workchain, lt) IN (SELECT account, workchain, lt
FROM (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_parent
WHERE (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90})
AND kind = 'jetton_wallet'
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
WHERE (NOT is_gone
AND has_parent
AND (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND amount <= {UInt256 "9"}
AND (amount < {UInt256 "9"} OR (account <= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account < unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain < {Int32 -1}))))
AND (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'jetton_master'
AND since <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM (SELECT account, workchain, child_code, reason
FROM detections.detections
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
WHERE reason = '')) OR mc_seqno > {UInt32 90}
ORDER BY mc_seqno > {UInt32 90} DESC, amount DESC, account DESC, workchain DESC
LIMIT {UInt32 100} OFFSET {UInt32 0})
AND kind = 'jetton_wallet'
ORDER BY mc_seqno > {UInt32 90} DESC, amount DESC, account DESC, workchain DESC
LIMIT 1 BY account, workchain
