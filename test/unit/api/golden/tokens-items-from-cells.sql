SELECT account, is_detected, payload
FROM (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected, payload
FROM contracts.tokens_latest
WHERE kind = 'nft_item')
WHERE (account, workchain, lt, is_detected) IN (SELECT account, workchain, lt, is_detected
FROM (SELECT *
FROM ((SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.tokens_by_parent
WHERE (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90})
AND kind = 'nft_item'
ORDER BY lt DESC
LIMIT 1 BY account, workchain))
WHERE ((NOT is_gone
AND (is_detected OR (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND kind = 'nft_collection'
AND since <= {UInt32 90}))) OR mc_seqno > {UInt32 90}))
WHERE ((has_parent
AND (parent, parent_workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND toString(amount) IN {Array(String) ["1"]}) OR mc_seqno > {UInt32 90})
ORDER BY mc_seqno > {UInt32 90} DESC, amount ASC, account ASC, workchain ASC
LIMIT {UInt32 100} OFFSET {UInt32 0})
ORDER BY mc_seqno > {UInt32 90} DESC, amount ASC, account ASC, workchain ASC
LIMIT 1 BY account, workchain
