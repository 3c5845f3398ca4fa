-- Balances in order: every state adds (+1) its balance and takes (-1) the one that it replaces; merging removes
-- what sums to zero, so that the top of the order is a short read. The sum over a key is exact before any merge too.
CREATE TABLE IF NOT EXISTS {db}.balances_ranked{cluster}
(
    balance UInt128 COMMENT 'Balance, nanotons.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    workchain Int32 COMMENT 'Workchain of the account.',
    lt UInt64 COMMENT 'Logical time of the last transaction before this state (ShardAccount.last_trans_lt).',
    net Int64 COMMENT '1 if the account has it.'
)
ENGINE = {engine:SummingMergeTree(net)}
ORDER BY (balance, account, workchain, lt)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Balances in order.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.balances_ranked_mv{cluster} TO {db}.balances_ranked AS
SELECT change.1 AS balance, account, workchain, change.2 AS lt, change.3 AS net
FROM
(
    SELECT account, workchain, arrayJoin(if(has_prev OR prev_lt > 0,
        [(balance, lt, toInt64(1)), (prev_balance, prev_lt, toInt64(-1))],
        [(balance, lt, toInt64(1))])) AS change
    FROM {db}.land_account_states
)
WHERE change.1 > 0;
