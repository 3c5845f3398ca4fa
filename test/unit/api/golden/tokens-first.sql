SELECT account, is_detected, payload
FROM (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected, payload
FROM contracts.tokens_latest
WHERE kind = 'nft_item'
UNION ALL SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 1 AS is_detected, payload
FROM detections.tokens_latest
WHERE kind = 'nft_item')
WHERE (account, workchain, lt, is_detected) IN (SELECT account, workchain, lt, is_detected
FROM (SELECT *
FROM ((SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 0 AS is_detected
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM ((SELECT account, workchain, mc_seqno
FROM contracts.token_firsts
WHERE kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
AND (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90})
ORDER BY mc_seqno, account
LIMIT {UInt32 100})
UNION ALL (SELECT account, workchain, mc_seqno
FROM detections.token_firsts
WHERE kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
ORDER BY mc_seqno, account
LIMIT {UInt32 100}))
ORDER BY mc_seqno, account
LIMIT {UInt32 100})
AND kind = 'nft_item'
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
UNION ALL (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, 1 AS is_detected
FROM detections.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM ((SELECT account, workchain, mc_seqno
FROM contracts.token_firsts
WHERE kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
AND (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90})
ORDER BY mc_seqno, account
LIMIT {UInt32 100})
UNION ALL (SELECT account, workchain, mc_seqno
FROM detections.token_firsts
WHERE kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
ORDER BY mc_seqno, account
LIMIT {UInt32 100}))
ORDER BY mc_seqno, account
LIMIT {UInt32 100})
AND kind = 'nft_item'
ORDER BY lt DESC
LIMIT 1 BY account, workchain))
WHERE ((NOT is_gone
AND (is_detected OR (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT parent, parent_workchain
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM ((SELECT account, workchain, mc_seqno
FROM contracts.token_firsts
WHERE kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
AND (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90})
ORDER BY mc_seqno, account
LIMIT {UInt32 100})
UNION ALL (SELECT account, workchain, mc_seqno
FROM detections.token_firsts
WHERE kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
ORDER BY mc_seqno, account
LIMIT {UInt32 100}))
ORDER BY mc_seqno, account
LIMIT {UInt32 100})
AND kind = 'nft_item'
AND has_parent)
AND kind = 'nft_collection'
AND since <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.tokens_latest
WHERE (account, workchain) IN (SELECT parent, parent_workchain
FROM contracts.tokens_latest
WHERE (account, workchain) IN (SELECT account, workchain
FROM ((SELECT account, workchain, mc_seqno
FROM contracts.token_firsts
WHERE kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
AND (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.token_firsts
WHERE kind = 'nft_collection'
AND mc_seqno <= {UInt32 90})
ORDER BY mc_seqno, account
LIMIT {UInt32 100})
UNION ALL (SELECT account, workchain, mc_seqno
FROM detections.token_firsts
WHERE kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
ORDER BY mc_seqno, account
LIMIT {UInt32 100}))
ORDER BY mc_seqno, account
LIMIT {UInt32 100})
AND kind = 'nft_item'
AND has_parent)
AND kind = 'nft_collection'
AND since <= {UInt32 90}))) OR mc_seqno > {UInt32 90})
ORDER BY is_detected
LIMIT 1 BY account, workchain)
WHERE ((1) OR mc_seqno > {UInt32 90})
ORDER BY mc_seqno > {UInt32 90} DESC, since ASC, account ASC, workchain ASC
LIMIT {UInt32 100} OFFSET {UInt32 0})
ORDER BY mc_seqno > {UInt32 90} DESC, since ASC, account ASC, workchain ASC
LIMIT 1 BY account, workchain
