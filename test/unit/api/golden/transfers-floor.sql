SELECT toString(min(lt))
FROM (SELECT min(start_lt) AS lt
FROM base.blocks PREWHERE mc_seqno BETWEEN {UInt32 10}
AND {UInt32 90} HAVING count() > 0
UNION ALL SELECT min(lt) AS lt
FROM contracts.token_transfer_keys
WHERE key IN (SELECT account
FROM contracts.token_firsts
WHERE kind = 'jetton_master'
AND mc_seqno BETWEEN {UInt32 10}
AND {UInt32 90}
UNION ALL SELECT account
FROM detections.token_firsts
WHERE kind = 'jetton_master'
AND mc_seqno BETWEEN {UInt32 10}
AND {UInt32 90})
AND kind = 'jetton_transfer'
AND role = 'parent' HAVING count() > 0
UNION ALL SELECT min(lt) AS lt
FROM contracts.token_transfer_keys
WHERE key IN (SELECT account
FROM detections.token_firsts
WHERE kind = 'jetton_wallet'
AND mc_seqno BETWEEN {UInt32 10}
AND {UInt32 90})
AND kind = 'jetton_transfer'
AND role = 'account' HAVING count() > 0)
