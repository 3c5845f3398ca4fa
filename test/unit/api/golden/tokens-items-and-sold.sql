SELECT account, is_detected, payload
FROM (SELECT *
FROM ((SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, payload, 0 AS is_detected
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT parent, parent_workchain
FROM (SELECT parent, parent_workchain, account, workchain
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND role = 'owner'
AND mc_seqno <= {UInt32 90})
AND mc_seqno <= {UInt32 90}
GROUP BY account, workchain)
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
UNION ALL SELECT parent, parent_workchain, account, workchain
FROM (SELECT *
FROM detections.detected_contracts
WHERE (account, workchain) IN (SELECT account, workchain
FROM detections.detected_contracts
WHERE kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a)))
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain, kind)
WHERE reason = ''
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))))
AND kind = 'nft_item'
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
UNION ALL (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, payload, 1 AS is_detected
FROM detections.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT parent, parent_workchain
FROM (SELECT parent, parent_workchain, account, workchain
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND role = 'owner'
AND mc_seqno <= {UInt32 90})
AND mc_seqno <= {UInt32 90}
GROUP BY account, workchain)
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
UNION ALL SELECT parent, parent_workchain, account, workchain
FROM (SELECT *
FROM detections.detected_contracts
WHERE (account, workchain) IN (SELECT account, workchain
FROM detections.detected_contracts
WHERE kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a)))
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain, kind)
WHERE reason = ''
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))))
AND kind = 'nft_item'
ORDER BY lt DESC
LIMIT 1 BY account, workchain))
WHERE ((NOT is_gone
AND (is_detected OR (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT parent, parent_workchain
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT parent, parent_workchain
FROM (SELECT parent, parent_workchain, account, workchain
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND role = 'owner'
AND mc_seqno <= {UInt32 90})
AND mc_seqno <= {UInt32 90}
GROUP BY account, workchain)
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
UNION ALL SELECT parent, parent_workchain, account, workchain
FROM (SELECT *
FROM detections.detected_contracts
WHERE (account, workchain) IN (SELECT account, workchain
FROM detections.detected_contracts
WHERE kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a)))
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain, kind)
WHERE reason = ''
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))))
AND kind = 'nft_item'
AND has_parent)
AND kind = 'nft_collection'
AND since <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.tokens_latest
WHERE (account, workchain) IN (SELECT parent, parent_workchain
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain
FROM detections.tokens_by_owner
WHERE (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT parent, parent_workchain
FROM (SELECT parent, parent_workchain, account, workchain
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND role = 'owner'
AND mc_seqno <= {UInt32 90})
AND mc_seqno <= {UInt32 90}
GROUP BY account, workchain)
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
UNION ALL SELECT parent, parent_workchain, account, workchain
FROM (SELECT *
FROM detections.detected_contracts
WHERE (account, workchain) IN (SELECT account, workchain
FROM detections.detected_contracts
WHERE kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a)))
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain, kind)
WHERE reason = ''
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))))
AND kind = 'nft_item'
AND has_parent)
AND kind = 'nft_collection'
AND since <= {UInt32 90}))) OR mc_seqno > {UInt32 90})
ORDER BY is_detected
LIMIT 1 BY account, workchain)
WHERE ((has_owner
AND ((owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a)) OR (account, workchain, owner, owner_workchain) IN (SELECT parent, parent_workchain, account, workchain
FROM contracts.contract_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM contracts.contract_states
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.contract_keys
WHERE (key, key_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND role = 'owner'
AND mc_seqno <= {UInt32 90})
AND mc_seqno <= {UInt32 90}
GROUP BY account, workchain)
AND mc_seqno <= {UInt32 90}
AND NOT is_gone
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
UNION ALL SELECT parent, parent_workchain, account, workchain
FROM (SELECT *
FROM detections.detected_contracts
WHERE (account, workchain) IN (SELECT account, workchain
FROM detections.detected_contracts
WHERE kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a)))
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain, kind)
WHERE reason = ''
AND kind IN ('nft_sale', 'nft_auction')
AND has_parent
AND has_owner
AND (owner, owner_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))))) OR mc_seqno > {UInt32 90})
ORDER BY mc_seqno > {UInt32 90} DESC, parent ASC, amount ASC, account ASC, workchain ASC
LIMIT {UInt32 100} OFFSET {UInt32 0}
