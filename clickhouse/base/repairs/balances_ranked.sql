-- What the ranking should hold for every (account, lt) that the range touches, less what it holds: an account's state
-- stands once for each row that made it, less once for each row that replaced it.
WITH
    touched AS
    (
        SELECT account, workchain, lt, prev_lt, has_prev OR prev_lt > 0 AS replaces
        FROM {db:Identifier}.account_states
        WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
    ),
    keys AS
    (
        SELECT account, workchain, lt FROM touched
        UNION DISTINCT
        SELECT account, workchain, prev_lt FROM touched WHERE replaces
    )
SELECT balance, account, workchain, lt, sum(change) AS net
FROM
(
    SELECT balance, account, workchain, lt, toInt64(1) AS change
    FROM {db:Identifier}.account_states
    WHERE (account, workchain, lt) IN keys
    UNION ALL
    SELECT prev_balance, account, workchain, prev_lt, toInt64(-1)
    FROM {db:Identifier}.account_states
    WHERE (has_prev OR prev_lt > 0) AND (account, workchain) IN (SELECT account, workchain FROM touched)
        AND (account, workchain, prev_lt) IN keys
    UNION ALL
    SELECT balance, account, workchain, lt, -net
    FROM {db:Identifier}.balances_ranked
    WHERE (account, workchain, lt) IN keys
)
WHERE balance > 0
GROUP BY balance, account, workchain, lt
HAVING net != 0
