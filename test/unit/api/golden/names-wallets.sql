SELECT DISTINCT key_workchain, hex(key)
FROM contracts.contract_keys PREWHERE key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND key_workchain = 0
AND role = 'wallet'
AND mc_seqno <= {UInt32 90}
