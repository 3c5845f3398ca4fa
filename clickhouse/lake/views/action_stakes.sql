-- Deposits, withdrawals and their requests of stakes. The partition date is trace_end_utime.
-- reads: actions
SELECT
    base64Encode(a.action_id) AS action_id,
    base64Encode(a.trace_id) AS trace_id,
    toString(a.type) AS type,
    a.success AS success,
    toInt64(a.end_lt) AS end_lt,
    {detail provider} AS provider, -- Name of the provider; null if the action has none
    {detail stake_holder} AS stake_holder, -- Holder of the stake; null if the action has none
    {detail pool} AS pool, -- Staking pool; null if the action has none
    {amount amount} AS amount, -- Amount, nanotons; null if the action has none
    a.details AS details,
    toDateTime(a.trace_end_utime, 'UTC') AS block_time,
    toDate(toDateTime(a.trace_end_utime, 'UTC')) AS block_date
FROM {actions}.actions AS a
WHERE a.type IN ('stake_deposit', 'stake_withdrawal', 'stake_withdrawal_request') AND {visible actions a}
