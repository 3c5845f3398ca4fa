(SELECT DISTINCT workchain, hex(account)
FROM contracts.tokens_latest PREWHERE mc_seqno > {UInt32 90}
WHERE parent = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND parent_workchain = 0
AND kind = 'jetton_wallet'
LIMIT {UInt32 1001})
UNION ALL (SELECT DISTINCT workchain, hex(account)
FROM detections.tokens_latest PREWHERE mc_seqno > {UInt32 90}
WHERE parent = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND parent_workchain = 0
AND kind = 'jetton_wallet'
LIMIT {UInt32 1001})
