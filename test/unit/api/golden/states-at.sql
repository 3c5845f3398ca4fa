SELECT <state columns>
FROM base.account_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, max(lt)
FROM base.account_states
WHERE (account, workchain) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0),(unhex('BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'),-1))
AND mc_seqno <= {UInt32 50}
GROUP BY account, workchain)
AND mc_seqno <= {UInt32 50}
LIMIT 1 BY account, workchain
