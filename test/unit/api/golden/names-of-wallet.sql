SELECT *
FROM (SELECT workchain, hex(account), toString(kind), toString(lt), base64Encode(code_hash), base64Encode(data_hash), if(has_owner, concat(toString(owner_workchain), ':', hex(owner)), NULL), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), domain, details
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND role = 'wallet'
AND mc_seqno <= {UInt32 90})
AND mc_seqno <= {UInt32 90}
GROUP BY account, workchain)
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND has_wallet
AND (wallet, wallet_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind IN ('nft_sale', 'dns_item')
AND domain != ''
AND (parent, parent_workchain, code_hash) IN (SELECT account, workchain, child_code
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_collection'
AND since <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.tokens_latest
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_collection'
AND since <= {UInt32 90})
AND (length(domain), domain, account, workchain) > (length({String "a.ton"}), {String "a.ton"}, unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}), {Int32 0})
UNION ALL SELECT workchain, hex(account), toString(kind), toString(lt), base64Encode(code_hash), base64Encode(data_hash), if(has_owner, concat(toString(owner_workchain), ':', hex(owner)), NULL), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), JSONExtractString(details, 'domain') AS domain, details
FROM (SELECT *
FROM detections.detected_contracts
WHERE (account, workchain) IN (SELECT account, workchain
FROM detections.detected_contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND role = 'wallet')
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain, kind)
WHERE reason = ''
AND kind IN ('nft_sale', 'dns_item')
AND JSONExtractString(details, 'dns_wallet') IN (SELECT arrayJoin({Array(String) ["0:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}))
AND (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND (length(JSONExtractString(details, 'domain')), JSONExtractString(details, 'domain'), account, workchain) > (length({String "a.ton"}), {String "a.ton"}, unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}), {Int32 0}))
ORDER BY length(domain), domain, 2, workchain
LIMIT {UInt32 100} OFFSET {UInt32 0}
