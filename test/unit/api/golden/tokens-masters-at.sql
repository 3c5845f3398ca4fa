SELECT account, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, is_gone, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(link))), content, link)
FROM contracts.token_states
WHERE (account, workchain, lt) IN (SELECT account, workchain, lt
FROM (SELECT mc_seqno, account, workchain, lt, is_gone, since, amount, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code
FROM contracts.token_states
WHERE (account, workchain) IN (SELECT account, workchain
FROM contracts.token_firsts
WHERE kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
ORDER BY mc_seqno, account
LIMIT {UInt32 100})
AND kind = 'jetton_master'
AND mc_seqno <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain)
WHERE NOT is_gone
AND 1
ORDER BY since ASC, account ASC, workchain ASC
LIMIT {UInt32 100} OFFSET {UInt32 0})
AND kind = 'jetton_master'
ORDER BY since ASC, account ASC, workchain ASC
LIMIT 1 BY account, workchain
