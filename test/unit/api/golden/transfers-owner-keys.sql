(SELECT lt, hex(account), workchain, now
FROM contracts.token_transfer_keys PREWHERE key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND role = 'source'
AND kind = 'jetton_transfer'
AND mc_seqno <= {UInt32 90}
ORDER BY key DESC, kind DESC, role DESC, lt DESC, account DESC, workchain DESC
LIMIT {UInt32 100})
UNION ALL (SELECT lt, hex(account), workchain, now
FROM contracts.token_transfer_keys PREWHERE key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND role = 'destination'
AND kind = 'jetton_transfer'
AND mc_seqno <= {UInt32 90}
ORDER BY key DESC, kind DESC, role DESC, lt DESC, account DESC, workchain DESC
LIMIT {UInt32 100})
