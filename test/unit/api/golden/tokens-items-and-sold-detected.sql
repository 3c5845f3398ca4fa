SELECT account, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, false, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(''))), content, '')
FROM (SELECT *
FROM detections.detections
WHERE (account, workchain) IN (SELECT account, workchain
FROM (SELECT account, workchain, min(since) AS since
FROM detections.detected_keys
WHERE (key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND key_workchain = 0
AND role = 'owner' OR (key, key_workchain) IN (SELECT parent, parent_workchain
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
AND role = 'account')
AND kind = 'nft_item'
GROUP BY account, workchain))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain) AS found ANY INNER JOIN (SELECT account, workchain, min(since) AS since
FROM detections.detected_keys
WHERE (key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND key_workchain = 0
AND role = 'owner' OR (key, key_workchain) IN (SELECT parent, parent_workchain
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
AND role = 'account')
AND kind = 'nft_item'
GROUP BY account, workchain) AS keys USING (account, workchain)
WHERE reason = ''
AND has_owner
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
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))))
ORDER BY parent ASC, amount ASC, account ASC, workchain ASC
LIMIT {UInt32 100}
