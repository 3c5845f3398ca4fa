SELECT <block columns>
FROM base.blocks
WHERE mc_seqno IN ({first:UInt32}, {last:UInt32})
AND workchain = -1
ORDER BY seqno
-- first = 10
-- last = 90
