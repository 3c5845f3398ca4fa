SELECT <transaction columns>
FROM base.account_transactions PREWHERE (account, workchain) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0),(unhex('BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'),-1))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY account, workchain, lt DESC
LIMIT {limit:UInt32} BY account, workchain
-- visible_first = 10
-- visible_last = 90
-- limit = 100
