SELECT <transaction columns>
FROM base.transaction_payloads PREWHERE lt <= (SELECT max(lt)
FROM (SELECT lt
FROM base.transactions PREWHERE (account, workchain) NOT IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND lt >= {UInt64 "5"}
AND lt <= {UInt64 "9"}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt ASC
LIMIT {UInt32 100} + {UInt32 0}))
AND (account, workchain) NOT IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}, {Array(Int32) [0]})) AS a))
AND lt >= {UInt64 "5"}
AND lt <= {UInt64 "9"}
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt ASC, workchain ASC, account ASC
LIMIT {UInt32 100} OFFSET {UInt32 0}
