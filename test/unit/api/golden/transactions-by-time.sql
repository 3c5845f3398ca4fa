SELECT <transaction columns>
FROM base.{{packed_transactions}}
WHERE workchain = {workchain:Int32}
AND now >= {start_utime:UInt32}
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
AND now >= {window_start:UInt32}
AND now <= {window_end:UInt32}
AND lt >= {window_start_lt:UInt64}
AND lt <= {window_end_lt:UInt64}
ORDER BY now DESC, lt DESC, workchain, account
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
-- workchain = 0
-- start_utime = 5
-- visible_first = 10
-- visible_last = 90
-- limit = 100
-- offset = 0
-- window_start = 5
-- window_end = 9
-- window_start_lt = "1"
-- window_end_lt = "2"
