SELECT workchain, hex(account), first_utime, first_lt, last_utime, last_lt, transactions, aborted, messages_in, messages_out, fees
FROM activity.activity
WHERE account = unhex({account:String})
AND workchain = {workchain:Int32}
AND mc_seqno <= {mc_seqno:UInt32}
ORDER BY account DESC, workchain DESC, mc_seqno DESC
LIMIT 1
-- account = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- workchain = 0
-- mc_seqno = 50
