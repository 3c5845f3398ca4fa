SELECT *
FROM (SELECT workchain, hex(account), toString(kind), toString(lt), base64Encode(code_hash), base64Encode(data_hash), if(has_owner, concat(toString(owner_workchain), ':', hex(owner)), NULL), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), domain, details
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND mc_seqno <= {UInt32 90}
GROUP BY account, workchain)
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND kind IN ('nft_sale', 'dns_item')
UNION ALL SELECT workchain, hex(account), toString(kind), toString(lt), base64Encode(code_hash), base64Encode(data_hash), if(has_owner, concat(toString(owner_workchain), ':', hex(owner)), NULL), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), JSONExtractString(details, 'domain') AS domain, details
FROM (SELECT *
FROM detections.detected_contracts
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain, kind)
WHERE reason = ''
AND kind IN ('nft_sale', 'dns_item'))
ORDER BY 2, 1
