SELECT <transaction columns>
FROM base.transaction_payloads
WHERE lt >= (SELECT min(lt)
FROM (SELECT lt
FROM base.transactions PREWHERE workchain = {Int32 0}
AND now >= {UInt32 5}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND now >= {UInt32 5}
AND now <= {UInt32 9}
AND lt >= {UInt64 "1"}
AND lt <= {UInt64 "2"}
ORDER BY now DESC, lt DESC, workchain ASC, account ASC
LIMIT {UInt32 100} + {UInt32 0}))
AND workchain = {Int32 0}
AND now >= {UInt32 5}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
AND now >= {UInt32 5}
AND now <= {UInt32 9}
AND lt >= {UInt64 "1"}
AND lt <= {UInt64 "2"}
ORDER BY now DESC, lt DESC, workchain ASC, account ASC
LIMIT {UInt32 100} OFFSET {UInt32 0}
