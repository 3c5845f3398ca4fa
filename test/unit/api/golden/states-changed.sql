SELECT DISTINCT workchain, hex(account)
FROM base.transactions PREWHERE mc_seqno > {UInt32 40}
AND mc_seqno <= {UInt32 90}
LIMIT {UInt32 2001}
