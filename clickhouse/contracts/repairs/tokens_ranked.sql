-- What the ranking should hold of every token that the range touches, less what it holds: the place of its newest state,
-- once, where that still is one.
WITH touched AS
    (
        SELECT DISTINCT account, workchain, kind
        FROM {db:Identifier}.token_states
        WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} AND kind IN ('jetton_wallet', 'nft_item')
    )
SELECT parent, parent_workchain, kind, child_code, amount, account, workchain, sum(change) AS net
FROM
(
    SELECT parent, parent_workchain, kind, child_code, amount, account, workchain, toInt64(1) AS change
    FROM
    (
        SELECT parent, parent_workchain, kind, child_code, amount, account, workchain, lt, is_gone
        FROM {db:Identifier}.token_states
        WHERE (account, workchain, kind) IN touched
        ORDER BY lt DESC
        LIMIT 1 BY account, workchain, kind
    )
    WHERE NOT is_gone
    UNION ALL
    SELECT parent, parent_workchain, kind, child_code, amount, account, workchain, -net
    FROM {db:Identifier}.tokens_ranked
    WHERE (account, workchain, kind) IN touched
)
GROUP BY parent, parent_workchain, kind, child_code, amount, account, workchain
HAVING net != 0
