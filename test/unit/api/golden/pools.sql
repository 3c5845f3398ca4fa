SELECT source_workchain, source, mc_seqno, tx_lt, assumeNotNull(opcode), toUInt8(kind = 'ext_out'), destination_workchain, destination, if(kind = 'ext_out', body, '')
FROM base.messages
WHERE (created_lt, hash8) IN (SELECT created_lt, hash8
FROM (SELECT account, workchain, created_lt, hash8
FROM (SELECT source AS account, source_workchain AS workchain, source_kind, created_lt, hash8, mc_seqno
FROM base.messages_by_source)
WHERE (account, workchain) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0),(unhex('BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'),-1))
AND source_kind = 'std'
AND mc_seqno <= {UInt32 90}
ORDER BY account, workchain, created_lt, hash8
LIMIT 256 BY account, workchain))
AND side = 'out'
AND opcode IN (2623606243,2028444580,260734629,840354313,2779237368)
AND mc_seqno <= {UInt32 90}
ORDER BY created_lt, hash8
