SELECT <transaction columns>
FROM base.transaction_payloads
WHERE (lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain
FROM base.messages
WHERE mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND (hash IN (SELECT toFixedString(unhex(h), 32)
FROM (SELECT arrayJoin({Array(String) ["CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD"]}) AS h)) OR hash_norm IN (SELECT toFixedString(unhex(h), 32)
FROM (SELECT arrayJoin({Array(String) ["CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD"]}) AS h)))
AND (created_lt, hash8) IN (SELECT created_lt, hash8
FROM base.message_hashes
WHERE hash8 IN (SELECT arrayJoin({Array(UInt64) "[14829735431805717965]"}))
UNION ALL SELECT 0, hash8
FROM base.message_norm_hashes
WHERE norm8 IN (SELECT arrayJoin({Array(UInt64) "[14829735431805717965]"}))))
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC, workchain ASC, account ASC
LIMIT {UInt32 100} OFFSET {UInt32 0}
