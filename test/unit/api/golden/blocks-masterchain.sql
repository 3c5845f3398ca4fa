SELECT <block columns>
FROM base.blocks
WHERE mc_seqno IN (10, 90)
AND workchain = -1
ORDER BY seqno
