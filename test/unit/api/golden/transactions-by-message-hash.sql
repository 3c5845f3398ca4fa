SELECT <transaction columns>
FROM base.{{packed_transactions}}
WHERE (lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain
FROM base.messages
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND (hash IN (SELECT toFixedString(unhex(h), 32)
FROM (SELECT arrayJoin({hashes:Array(String)}) AS h)) OR hash_norm IN (SELECT toFixedString(unhex(h), 32)
FROM (SELECT arrayJoin({hashes:Array(String)}) AS h)))
AND (created_lt, hash8) IN (SELECT created_lt, hash8
FROM base.message_hashes
WHERE hash8 IN (SELECT arrayJoin({hash8s:Array(UInt64)}))
UNION ALL SELECT 0, hash8
FROM base.message_norm_hashes
WHERE norm8 IN (SELECT arrayJoin({hash8s:Array(UInt64)}))))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC, workchain, account
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- hashes = ["CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD"]
-- hash8s = "[14829735431805717965]"
-- limit = 100
-- offset = 0
