SELECT account, is_detected, payload
FROM (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, is_gone, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(link))), content, link) AS payload
FROM contracts.token_states
WHERE kind = 'jetton_master'
UNION ALL SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 1 AS is_detected, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, is_gone, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(link))), content, link) AS payload
FROM detections.token_states
WHERE kind = 'jetton_master')
WHERE (account, workchain, lt, is_detected) IN (SELECT account, workchain, lt, is_detected
FROM (SELECT *
FROM ((SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected
FROM contracts.token_states
WHERE 1
AND kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
UNION ALL (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 1 AS is_detected
FROM detections.token_states
WHERE 1
AND kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain))
WHERE NOT is_gone
ORDER BY is_detected
LIMIT 1 BY account, workchain)
WHERE 1
AND since >= {UInt32 7}
AND (since > {UInt32 7} OR (account >= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account > unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain > {Int32 -1}))))
ORDER BY since ASC, account ASC, workchain ASC
LIMIT {UInt32 100} OFFSET {UInt32 0})
ORDER BY since ASC, account ASC, workchain ASC
LIMIT 1 BY account, workchain
