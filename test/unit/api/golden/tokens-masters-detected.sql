SELECT account, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, false, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(''))), content, '')
FROM (SELECT *
FROM detections.detections
WHERE (account, workchain) IN (SELECT account, workchain
FROM (SELECT account, workchain, min(since) AS since
FROM detections.detected_keys
WHERE role = 'account'
AND kind = 'jetton_master'
GROUP BY account, workchain))
AND kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain) AS found ANY INNER JOIN (SELECT account, workchain, min(since) AS since
FROM detections.detected_keys
WHERE role = 'account'
AND kind = 'jetton_master'
GROUP BY account, workchain) AS keys USING (account, workchain)
WHERE reason = ''
AND 1
ORDER BY since ASC, account ASC, workchain ASC
LIMIT {UInt32 100}
