-- The outcomes of the range once more: merging keeps one row, so a repeated row changes nothing.
INSERT INTO {db:Identifier}.detected_keys (since, role, key_workchain, key, kind, workchain, account)
SELECT state_seqno AS since, found.1 AS role, found.2 AS key_workchain, found.3 AS key, kind, workchain, account
FROM
(
    SELECT state_seqno, kind, workchain, account, arrayJoin(arrayConcat(
        [('account'::Enum8('account' = 0, 'owner' = 1, 'parent' = 2), workchain, account)],
        if(has_owner, [('owner'::Enum8('account' = 0, 'owner' = 1, 'parent' = 2), owner_workchain, owner)], []),
        if(has_parent, [('parent'::Enum8('account' = 0, 'owner' = 1, 'parent' = 2), parent_workchain, parent)], []))) AS found
    FROM {db:Identifier}.token_outcomes
    WHERE reason = '' AND mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
);
