SELECT account, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, false, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(''))), content, '')
FROM (SELECT *
FROM detections.detections
WHERE (account, workchain) IN (SELECT account, workchain
FROM (SELECT account, workchain, min(since) AS since
FROM detections.detected_keys
WHERE key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND key_workchain = 0
AND role = 'parent'
AND kind = 'jetton_wallet'
GROUP BY account, workchain))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain) AS found ANY INNER JOIN (SELECT account, workchain, min(since) AS since
FROM detections.detected_keys
WHERE key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND key_workchain = 0
AND role = 'parent'
AND kind = 'jetton_wallet'
GROUP BY account, workchain) AS keys USING (account, workchain)
WHERE reason = ''
AND has_parent
AND (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND amount <= {UInt256 "9"}
AND (amount < {UInt256 "9"} OR (account <= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account < unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain < {Int32 -1}))))
ORDER BY amount DESC, account DESC, workchain DESC
LIMIT {UInt32 100}
