SELECT <transaction columns>
FROM base.transaction_payloads
WHERE (lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain
FROM base.messages
WHERE ((side = 'in'
AND (created_lt, hash8) IN (SELECT k.1, k.2
FROM (SELECT arrayJoin({Array(Tuple(UInt64, UInt64)) "[(5,6)]"}) AS k))) OR (side = 'out'
AND (created_lt, hash8) IN (SELECT k.1, k.2
FROM (SELECT arrayJoin({Array(Tuple(UInt64, UInt64)) "[(7,8)]"}) AS k))))
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90})
AND mc_seqno >= {UInt32 10}
AND mc_seqno <= {UInt32 90}
ORDER BY lt ASC, workchain ASC, account ASC
