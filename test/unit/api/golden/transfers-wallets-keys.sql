(SELECT lt, hex(account), workchain, now
FROM contracts.token_transfer_keys PREWHERE key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND role = 'account'
AND kind = 'jetton_transfer'
AND mc_seqno <= {UInt32 90}
AND lt >= {UInt64 "1"}
AND lt <= {UInt64 "9"}
ORDER BY key DESC, kind DESC, role DESC, lt DESC, account DESC, workchain DESC
LIMIT {UInt32 100})
UNION ALL (SELECT lt, hex(account), workchain, now
FROM contracts.token_transfer_keys PREWHERE key = unhex('BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB')
AND role = 'account'
AND kind = 'jetton_transfer'
AND mc_seqno <= {UInt32 90}
AND lt >= {UInt64 "1"}
AND lt <= {UInt64 "9"}
ORDER BY key DESC, kind DESC, role DESC, lt DESC, account DESC, workchain DESC
LIMIT {UInt32 100})
