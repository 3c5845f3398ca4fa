SELECT account, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, false, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(''))), content, '')
FROM (SELECT *
FROM detections.detections
WHERE (account, workchain) IN (SELECT account, workchain
FROM (SELECT account, workchain, min(since) AS since
FROM detections.detected_keys
WHERE (key, key_workchain) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0),(unhex('BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'),-1))
AND role = 'owner'
AND kind = 'jetton_wallet'
GROUP BY account, workchain))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain) AS found ANY INNER JOIN (SELECT account, workchain, min(since) AS since
FROM detections.detected_keys
WHERE (key, key_workchain) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0),(unhex('BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'),-1))
AND role = 'owner'
AND kind = 'jetton_wallet'
GROUP BY account, workchain) AS keys USING (account, workchain)
WHERE reason = ''
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND (amount > 0 OR (flag
AND (concat(toString(parent_workchain), ':', hex(parent)), concat(toString(owner_workchain), ':', hex(owner))) IN (SELECT jetton, owner
FROM meta.mintless_amounts FINAL
WHERE amount > 0)))
ORDER BY owner ASC, amount DESC, account DESC, workchain DESC
LIMIT {UInt32 100}
