(SELECT 0, mc_seqno AS since, hex(account), workchain, 1
FROM contracts.token_firsts
WHERE kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
AND (parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code
FROM contracts.token_firsts
WHERE kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
UNION ALL SELECT account, workchain, child_code
FROM detections.token_firsts
WHERE kind = 'jetton_master'
AND mc_seqno <= {UInt32 90})
ORDER BY kind, mc_seqno, account, workchain
LIMIT {UInt32 50})
UNION ALL (SELECT 1, mc_seqno AS since, hex(account), workchain, 1
FROM detections.token_firsts
WHERE kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
ORDER BY kind, mc_seqno, account, workchain
LIMIT {UInt32 50})
