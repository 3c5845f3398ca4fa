SELECT <transaction columns>
FROM base.account_transactions PREWHERE lt >= 1000
AND lt <= 2000
AND account = unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
AND workchain = {Int32 0}
AND mc_seqno = {UInt32 50}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT {UInt32 100} OFFSET {UInt32 0}
