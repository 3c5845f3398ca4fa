-- The payers of the range once more: merging keeps one row, so a repeated row changes nothing.
INSERT INTO {db:Identifier}.pool_payers (project, payer, pool)
SELECT DISTINCT project, payer, pool
FROM {db:Identifier}.trades
WHERE payer != '' AND mc_seqno BETWEEN {first:UInt32} AND {last:UInt32};
