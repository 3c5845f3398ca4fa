SELECT workchain, hex(account), toString(lt), base64Encode(code_hash), base64Encode(data_hash), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), details
FROM (SELECT workchain, account, lt, code_hash, data_hash, has_parent, parent_workchain, parent, details
FROM (SELECT *
FROM (SELECT workchain, account, lt, code_hash, data_hash, has_parent, parent_workchain, parent, details
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE kind = 'multisig'
AND mc_seqno <= {UInt32 90}
AND (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND toString(role) IN ('signer', 'proposer')
AND mc_seqno <= {UInt32 90})
GROUP BY account, workchain)
AND kind = 'multisig'
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND (hasAny(JSONExtract(details, 'signers', 'Array(String)'), {Array(String) ["0:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}) OR hasAny(JSONExtract(details, 'proposers', 'Array(String)'), {Array(String) ["0:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}))
UNION ALL SELECT workchain, account, lt, code_hash, data_hash, has_parent, parent_workchain, parent, details
FROM (SELECT *
FROM detections.detected_contracts
WHERE kind = 'multisig'
AND mc_seqno <= {UInt32 90}
AND (account, workchain) IN (SELECT account, workchain
FROM detections.detected_contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND toString(role) IN ('signer', 'proposer'))
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
WHERE reason = ''
AND (hasAny(JSONExtract(details, 'signers', 'Array(String)'), {Array(String) ["0:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}) OR hasAny(JSONExtract(details, 'proposers', 'Array(String)'), {Array(String) ["0:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]})))
ORDER BY lt DESC
LIMIT 1 BY account, workchain))
WHERE lt <= {UInt64 "5"}
AND (lt < {UInt64 "5"} OR (account <= unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
AND (account < unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}) OR (workchain > {Int32 0}))))
ORDER BY lt DESC, account DESC, workchain ASC
LIMIT {UInt32 100} OFFSET {UInt32 0}
