SELECT DISTINCT workchain, hex(account)
FROM base.transactions PREWHERE mc_seqno > {last:UInt32}
AND mc_seqno <= {visible_last:UInt32}
LIMIT {most:UInt32}
-- last = 40
-- visible_last = 90
-- most = 2001
