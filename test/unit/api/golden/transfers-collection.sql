SELECT account, payload
FROM contracts.token_transfers
WHERE kind = 'nft_transfer'
AND mc_seqno <= {UInt32 90}
AND (NOT has_parent OR (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a)))
AND ((parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90}) OR (account, workchain) IN (SELECT account, workchain
FROM detections.token_firsts
WHERE kind = 'nft_item'
AND mc_seqno <= {UInt32 90}))
ORDER BY lt DESC, account DESC, workchain DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
