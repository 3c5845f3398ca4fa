SELECT workchain, hex(account), toString(lt), base64Encode(code_hash), base64Encode(data_hash), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), details
FROM (SELECT workchain, account, lt, code_hash, data_hash, has_parent, parent_workchain, parent, details
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE kind = 'vesting'
AND mc_seqno <= {UInt32 90}
AND (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
GROUP BY account, workchain)
AND kind = 'vesting'
AND mc_seqno <= {UInt32 90}
AND NOT is_gone) AS listed ANY INNER JOIN (SELECT account, workchain, min(mc_seqno) AS since
FROM contracts.contract_states
WHERE kind = 'vesting'
AND mc_seqno <= {UInt32 90}
AND (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
GROUP BY account, workchain) AS firsts USING (account, workchain)
ORDER BY since, account, workchain
LIMIT {UInt32 100} OFFSET {UInt32 0}
