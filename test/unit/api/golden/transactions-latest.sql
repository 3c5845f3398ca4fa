SELECT <transaction columns>
FROM base.{{packed_transactions}} PREWHERE lt >= (SELECT min(lt)
FROM (SELECT lt
FROM base.transactions PREWHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC
LIMIT {limit:UInt32} + {offset:UInt32}))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC, workchain, account
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
