(SELECT 1
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
AND mc_seqno > {UInt32 90}
LIMIT 1)
UNION ALL (SELECT 1
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
AND mc_seqno > {UInt32 90}
LIMIT 1)
