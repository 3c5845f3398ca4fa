SELECT workchain, account, boc
FROM base.account_cells PREWHERE (account, workchain, lt) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0,5)) OR (account, workchain, lt) IN (SELECT account, workchain, lt
FROM base.account_cells PREWHERE account = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND workchain = 0
AND mc_seqno <= {UInt32 90}
ORDER BY account, workchain, lt
LIMIT 1)
