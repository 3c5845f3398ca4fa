-- The outcomes of the range once more: merging keeps one row, so a repeated row changes nothing.
INSERT INTO {db:Identifier}.detected_contracts (mc_seqno, workchain, account, kind, lt, code_hash, data_hash, reason, has_owner, owner_workchain, owner, has_parent,
    parent_workchain, parent, details)
SELECT state_seqno, workchain, account, kind, lt, code_hash, data_hash, reason, has_owner, owner_workchain, owner, has_parent,
    parent_workchain, parent, details
FROM {db:Identifier}.contract_outcomes
WHERE NOT startsWith(reason, 'not known: ') AND mc_seqno BETWEEN {first:UInt32} AND {last:UInt32};
