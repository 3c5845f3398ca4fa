SELECT workchain, account, boc
FROM base.account_cells PREWHERE (account, workchain, lt) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0,5)) OR (account, workchain, lt) IN (SELECT account, workchain, min(lt)
FROM base.account_cells PREWHERE (account, workchain) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0))
AND mc_seqno <= {visible_last:UInt32}
GROUP BY account, workchain)
-- visible_last = 90
