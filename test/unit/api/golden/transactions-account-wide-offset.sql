SELECT <transaction columns>
FROM base.account_transactions
WHERE (account, workchain, lt) IN (SELECT account, workchain, lt
FROM base.account_transactions PREWHERE account = unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
AND workchain = {Int32 0}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT {UInt32 100} OFFSET {UInt32 5000})
ORDER BY lt DESC
