SELECT workchain, hex(account), first_utime, first_lt, last_utime, last_lt, transactions, aborted, messages_in, messages_out, fees
FROM activity.activity
WHERE account = unhex({String "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
AND workchain = {Int32 0}
AND mc_seqno <= {UInt32 50}
ORDER BY account DESC, workchain DESC, mc_seqno DESC
LIMIT 1
