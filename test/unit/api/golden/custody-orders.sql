SELECT workchain, hex(account), toString(lt), base64Encode(code_hash), base64Encode(data_hash), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), details
FROM (SELECT *
FROM (SELECT workchain, account, lt, code_hash, data_hash, has_parent, parent_workchain, parent, details
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE kind = 'multisig_order'
AND mc_seqno <= {UInt32 90}
AND (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND toString(role) IN ('multisig')
AND mc_seqno <= {UInt32 90})
GROUP BY account, workchain)
AND kind = 'multisig_order'
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND has_parent
AND (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.contract_states
WHERE (account, workchain) IN (SELECT parent, parent_workchain
FROM contracts.contract_states
WHERE kind = 'multisig_order'
AND mc_seqno <= {UInt32 90}
AND (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND toString(role) IN ('multisig')
AND mc_seqno <= {UInt32 90}))
AND kind = 'multisig'
AND mc_seqno <= {UInt32 90}
AND NOT is_gone)
UNION ALL SELECT workchain, account, lt, code_hash, data_hash, has_parent, parent_workchain, parent, details
FROM (SELECT *
FROM detections.detected_contracts
WHERE kind = 'multisig_order'
AND mc_seqno <= {UInt32 90}
AND (account, workchain) IN (SELECT account, workchain
FROM detections.detected_contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND toString(role) IN ('multisig'))
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
WHERE reason = ''
AND has_parent
AND (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a)))
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
ORDER BY lt DESC, account DESC, workchain ASC
LIMIT 3 BY parent, parent_workchain
LIMIT {UInt32 100} OFFSET {UInt32 0}
