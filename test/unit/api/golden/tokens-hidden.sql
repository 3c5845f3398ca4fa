(SELECT 1
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_parent
WHERE (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_parent
WHERE (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90})
AND kind = 'jetton_wallet'
AND mc_seqno > {UInt32 90}
LIMIT 1)
UNION ALL (SELECT 1
FROM detections.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_parent
WHERE (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_parent
WHERE (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90})
AND kind = 'jetton_wallet'
AND mc_seqno > {UInt32 90}
LIMIT 1)
