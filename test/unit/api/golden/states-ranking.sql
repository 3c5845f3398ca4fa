SELECT 0, balance, workchain, hex(account), sum(net), count()
FROM (SELECT balance, account, workchain, lt, net
FROM base.balances_ranked
ORDER BY balance DESC, account DESC, workchain DESC, lt DESC
LIMIT {UInt32 1400} WITH TIES)
GROUP BY balance, account, workchain, lt
UNION ALL SELECT 1, 0, workchain, hex(account), 1, 0
FROM (SELECT DISTINCT account, workchain
FROM base.transactions
WHERE mc_seqno > {UInt32 90}
LIMIT {UInt32 2000})
