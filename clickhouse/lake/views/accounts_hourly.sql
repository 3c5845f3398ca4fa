-- Active and new accounts by hour and workchain.
-- reads: activity
-- needs: activity.account_hours.hour
SELECT
    s.hour AS hour, -- Start of the hour, UTC
    s.workchain AS workchain, -- Workchain of the accounts
    toInt64(sum(s.active)) AS active_accounts, -- Accounts with a transaction in the hour
    toInt64(sum(s.new)) AS new_accounts, -- Accounts whose first indexed transaction is in the hour
    s.hour AS block_time, -- Start of the hour, UTC
    toDate(s.hour) AS block_date -- Date, UTC
FROM {sums activity account_hours} AS s
GROUP BY s.hour, s.workchain
