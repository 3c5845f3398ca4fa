SELECT workchain, hex(account), toString(kind), toString(lt), base64Encode(code_hash), base64Encode(data_hash), if(has_owner, concat(toString(owner_workchain), ':', hex(owner)), NULL), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), domain, details
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND role = 'bidder'
AND mc_seqno <= {UInt32 90})
AND mc_seqno <= {UInt32 90}
GROUP BY account, workchain)
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND has_bidder
AND (bidder, bidder_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'dns_item'
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
AND toUInt64OrZero(JSONExtractString(details, 'auction_end_time')) > {UInt64 "5"}
AND (toUInt64OrZero(JSONExtractString(details, 'auction_end_time')), concat(toString(workchain), ':', hex(account))) > ({UInt64 "6"}, {String "0:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
ORDER BY toUInt64OrZero(JSONExtractString(details, 'auction_end_time')), concat(toString(workchain), ':', hex(account))
LIMIT {UInt32 100} OFFSET {UInt32 0}
