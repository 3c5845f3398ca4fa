SELECT <transaction columns>
FROM base.account_transactions PREWHERE account = unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
AND workchain = {Int32 0}
AND now >= {UInt32 1}
AND now <= {UInt32 2}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt ASC
LIMIT {UInt32 100} OFFSET {UInt32 0}
