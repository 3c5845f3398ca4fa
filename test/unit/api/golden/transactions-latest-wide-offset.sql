SELECT <transaction columns>
FROM base.{{packed_transactions}}
WHERE (lt, account, workchain) IN (SELECT lt, account, workchain
FROM base.transactions PREWHERE mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt DESC, workchain, account
LIMIT {limit:UInt32} OFFSET {offset:UInt32})
ORDER BY lt DESC, workchain, account
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 5000
