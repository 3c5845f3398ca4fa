SELECT account, is_detected, payload
FROM (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected, payload
FROM contracts.tokens_latest
WHERE kind = 'jetton_master'
UNION ALL SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 1 AS is_detected, payload
FROM detections.tokens_latest
WHERE kind = 'jetton_master')
WHERE (account, workchain, lt, is_detected) IN (SELECT account, workchain, lt, is_detected
FROM (SELECT *
FROM ((SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected
FROM contracts.tokens_latest
WHERE 1
AND kind = 'jetton_master'
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
UNION ALL (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 1 AS is_detected
FROM detections.tokens_latest
WHERE 1
AND kind = 'jetton_master'
ORDER BY lt DESC
LIMIT 1 BY account, workchain))
WHERE ((NOT is_gone) OR mc_seqno > {UInt32 90})
ORDER BY is_detected
LIMIT 1 BY account, workchain)
WHERE ((1) OR mc_seqno > {UInt32 90})
ORDER BY mc_seqno > {UInt32 90} DESC, since ASC, account ASC, workchain ASC
LIMIT {UInt32 100} OFFSET {UInt32 0})
ORDER BY mc_seqno > {UInt32 90} DESC, since ASC, account ASC, workchain ASC
LIMIT 1 BY account, workchain
