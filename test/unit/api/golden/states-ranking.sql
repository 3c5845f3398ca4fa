SELECT {UInt32 0}, lowest.1, lowest.3, hex(lowest.2), read
FROM (SELECT min((balance, account, workchain)) AS lowest, toInt64(count()) AS read
FROM (SELECT balance, account, workchain, lt, net
FROM base.balances_ranked
ORDER BY balance DESC, account DESC, workchain DESC, lt DESC
LIMIT {UInt32 1400} WITH TIES))
UNION ALL SELECT {UInt32 1}, argMax(balance, lt), workchain, hex(account), toInt64(argMax(mc_seqno, lt))
FROM base.accounts_latest PREWHERE (account, workchain) IN (SELECT account, workchain
FROM (SELECT balance, account, workchain, lt, net
FROM base.balances_ranked
ORDER BY balance DESC, account DESC, workchain DESC, lt DESC
LIMIT {UInt32 1400} WITH TIES)
GROUP BY balance, account, workchain, lt HAVING sum(net) > 0
UNION ALL SELECT DISTINCT account, workchain
FROM base.transactions
WHERE mc_seqno > {UInt32 90}
LIMIT {UInt32 2000})
GROUP BY account, workchain
