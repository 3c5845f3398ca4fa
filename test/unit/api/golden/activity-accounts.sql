SELECT workchain, hex(account), first_utime, first_lt, last_utime, last_lt, transactions, aborted, messages_in, messages_out, fees
FROM activity.activity
WHERE (account, workchain, mc_seqno) IN (SELECT account, workchain, max(mc_seqno)
FROM activity.activity
WHERE (account, workchain) IN (SELECT toFixedString(unhex(a.1), 32), a.2
FROM (SELECT arrayJoin(arrayZip({Array(String) ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"]}, {Array(Int32) [0,-1]})) AS a))
AND mc_seqno <= {UInt32 50}
GROUP BY account, workchain)
ORDER BY workchain, account
