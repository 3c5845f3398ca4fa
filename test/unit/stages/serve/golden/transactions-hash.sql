SELECT <transaction columns>
FROM base.transactions
WHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND hash IN (SELECT toFixedString(unhex(h), 32)
FROM (SELECT arrayJoin({hashes:Array(String)}) AS h))
AND lt IN (SELECT lt
FROM base.transaction_hashes
WHERE hash8 IN (SELECT arrayJoin({hash8s:Array(UInt64)}))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32})
ORDER BY hash DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- hashes = ["CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD"]
-- limit = 100
-- offset = 0
-- hash8s = "[14829735431805717965]"
