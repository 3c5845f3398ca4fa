SELECT <transaction columns>
FROM base.{{packed_transactions}} PREWHERE lt = {lt:UInt64}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt ASC, workchain DESC, account DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- lt = "7"
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
