SELECT account, is_detected, payload
FROM (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, is_gone, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(link))), content, link) AS payload
FROM contracts.token_states
WHERE kind = 'jetton_wallet'
UNION ALL SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 1 AS is_detected, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, is_gone, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(link))), content, link) AS payload
FROM detections.token_states
WHERE kind = 'jetton_wallet')
WHERE (account, workchain, lt, is_detected) IN (SELECT account, workchain, lt, is_detected
FROM (SELECT *
FROM ((SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected
FROM contracts.token_states
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
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
UNION ALL (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 1 AS is_detected
FROM detections.token_states
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
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain))
WHERE NOT is_gone
AND (is_detected OR (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT parent, parent_workchain
FROM contracts.token_states
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
AND mc_seqno <= {UInt32 90}
AND has_parent)
AND kind = 'jetton_master'
AND since <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.tokens_latest
WHERE (account, workchain) IN (SELECT parent, parent_workchain
FROM contracts.token_states
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
AND mc_seqno <= {UInt32 90}
AND has_parent)
AND kind = 'jetton_master'
AND since <= {UInt32 90}))
ORDER BY is_detected
LIMIT 1 BY account, workchain)
WHERE has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND (amount > 0 OR (flag
AND (concat(toString(parent_workchain), ':', hex(parent)), concat(toString(owner_workchain), ':', hex(owner))) IN (SELECT jetton, owner
FROM meta.mintless_amounts FINAL
WHERE amount > 0)))
ORDER BY owner ASC, amount DESC, account DESC, workchain DESC
LIMIT {UInt32 100} OFFSET {UInt32 0})
ORDER BY owner ASC, amount DESC, account DESC, workchain DESC
LIMIT 1 BY account, workchain
