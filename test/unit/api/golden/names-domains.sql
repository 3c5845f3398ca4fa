SELECT concat(toString(wallet_workchain), ':', hex(wallet)), domain
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
AND kind IN ('teleitem', 'dns_item')
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
AND has_owner
AND owner = wallet
AND owner_workchain = wallet_workchain
ORDER BY length(domain), domain
LIMIT 1 BY wallet, wallet_workchain
