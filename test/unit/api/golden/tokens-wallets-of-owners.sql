SELECT account, is_detected, payload
FROM (SELECT *
FROM ((SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, payload, 0 AS is_detected
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90})
AND kind = 'jetton_wallet'
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
UNION ALL (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, payload, 1 AS is_detected
FROM detections.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90})
AND kind = 'jetton_wallet'
ORDER BY lt DESC
LIMIT 1 BY account, workchain))
WHERE ((NOT is_gone
AND (is_detected OR (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT parent, parent_workchain
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90})
AND kind = 'jetton_wallet'
AND has_parent)
AND kind = 'jetton_master'
AND since <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.tokens_latest
WHERE (account, workchain) IN (SELECT parent, parent_workchain
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90})
AND kind = 'jetton_wallet'
AND has_parent)
AND kind = 'jetton_master'
AND since <= {UInt32 90}))) OR mc_seqno > {UInt32 90})
ORDER BY is_detected
LIMIT 1 BY account, workchain)
WHERE ((has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND (amount > 0 OR (flag
AND (concat(toString(parent_workchain), ':', hex(parent)), concat(toString(owner_workchain), ':', hex(owner))) IN (SELECT jetton, owner
FROM meta.mintless_amounts FINAL
WHERE amount > 0)))) OR mc_seqno > {UInt32 90})
ORDER BY mc_seqno > {UInt32 90} DESC, owner ASC, amount DESC, account DESC, workchain DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
