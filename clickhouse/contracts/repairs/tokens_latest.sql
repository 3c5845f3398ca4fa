-- The states of the range once more: the engine keeps the newest row of a token, so a repeated row changes nothing.
INSERT INTO {db:Identifier}.tokens_latest
SELECT mc_seqno, workchain, account, lt, kind, is_gone,
    concat(char(1), formatRow('RowBinary',
        mc_seqno,
        workchain,
        lt,
        kind,
        is_gone,
        since,
        code_hash,
        data_hash,
        amount,
        flag,
        has_owner,
        owner_workchain,
        owner,
        has_parent,
        parent_workchain,
        parent,
        child_code,
        toUInt32(length(content)),
        toUInt32(length(link))), content, link) AS payload
FROM {db:Identifier}.token_states
WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32};
