SELECT <transaction columns>
FROM base.transactions PREWHERE lt >= (SELECT (min(start_lt), max(end_lt))
FROM base.blocks
WHERE mc_seqno = {mc_seqno:UInt32}).1
AND lt <= (SELECT (min(start_lt), max(end_lt))
FROM base.blocks
WHERE mc_seqno = {mc_seqno:UInt32}).2
AND mc_seqno = {mc_seqno:UInt32}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC, account, workchain
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- mc_seqno = 50
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
