SELECT mc_seqno AS since, hex(account), workchain
FROM contracts.token_firsts
WHERE kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
AND (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.token_firsts
WHERE kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM (SELECT account, workchain, child_code, reason
FROM detections.detections
WHERE kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
WHERE reason = '')
ORDER BY kind, mc_seqno, account, workchain
LIMIT {UInt32 50}
