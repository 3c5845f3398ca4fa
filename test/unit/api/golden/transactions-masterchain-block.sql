SELECT <transaction columns>
FROM base.{{packed_transactions}} PREWHERE lt >= 1000
AND lt <= 2000
AND mc_seqno = {mc_seqno:UInt32}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC, workchain, account
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- mc_seqno = 50
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
