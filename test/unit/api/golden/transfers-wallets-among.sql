SELECT account, payload
FROM contracts.token_transfers
WHERE kind = 'jetton_transfer'
AND mc_seqno <= {UInt32 90}
AND lt >= {UInt64 "1"}
AND lt <= {UInt64 "9"}
AND (lt, account) IN (SELECT k.1, toFixedString(unhex(k.2), 32)
FROM (SELECT arrayJoin(arrayZip({Array(UInt64) "[5]"}, {Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]})) AS k))
AND (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND NOT aborted
AND ((parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.token_firsts
WHERE kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.token_firsts
WHERE kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}) OR (account, workchain) IN (SELECT account, workchain
FROM detections.tokens_latest
WHERE account IN (SELECT toFixedString(unhex(h), 32)
FROM (SELECT arrayJoin({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}) AS h))
AND kind = 'jetton_wallet'
AND since <= {UInt32 90}))
ORDER BY lt DESC, account DESC, workchain DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
