SELECT <transaction columns>
FROM base.{{packed_transactions}}
WHERE (lt, account, workchain) IN (SELECT tx_lt, tx_account, tx_workchain
FROM base.messages
WHERE ((side = 'in'
AND (created_lt, hash8) IN (SELECT k.1, k.2
FROM (SELECT arrayJoin({ends_in:Array(Tuple(UInt64, UInt64))}) AS k))) OR (side = 'out'
AND (created_lt, hash8) IN (SELECT k.1, k.2
FROM (SELECT arrayJoin({ends_out:Array(Tuple(UInt64, UInt64))}) AS k))))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32})
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
ORDER BY lt, workchain, account
-- visible_first = 10
-- visible_last = 90
-- ends_in = "[(5,6)]"
-- ends_out = "[(7,8)]"
