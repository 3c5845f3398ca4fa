(SELECT workchain, hex(account)
FROM contracts.tokens_by_owner PREWHERE owner = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND owner_workchain = 0
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
LIMIT {UInt32 1501})
UNION ALL (SELECT workchain, hex(account)
FROM detections.tokens_by_owner PREWHERE owner = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND owner_workchain = 0
AND kind = 'nft_item'
AND mc_seqno <= {UInt32 90}
LIMIT {UInt32 1501})
