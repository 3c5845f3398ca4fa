SELECT DISTINCT lt, hex(account), workchain, now, account
FROM contracts.token_transfer_keys
WHERE key IN (SELECT toFixedString(unhex(h), 32)
FROM (SELECT arrayJoin({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}) AS h))
AND role IN ('destination')
AND kind = 'jetton_transfer'
AND mc_seqno <= {UInt32 90}
AND now >= {UInt32 1}
AND now <= {UInt32 2}
ORDER BY now DESC, lt DESC, account DESC, workchain DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
