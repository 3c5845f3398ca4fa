SELECT <transaction columns>
FROM base.{{packed_transactions}} PREWHERE lt IN (SELECT lt
FROM base.transaction_hashes PREWHERE hash8 IN (14829735431805717965))
AND hash IN (unhex('CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD'))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY hash DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
