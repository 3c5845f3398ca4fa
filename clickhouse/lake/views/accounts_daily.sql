-- Active and new accounts by day and workchain.
-- reads: activity
-- needs: activity.account_days.hour
SELECT
    toDate(s.hour) AS day, -- The day, UTC
    s.workchain AS workchain, -- Workchain of the accounts
    toInt64(sum(s.active)) AS active_accounts, -- Accounts with a transaction in the day
    toInt64(sum(s.new)) AS new_accounts, -- Accounts whose first indexed transaction is in the day
    s.hour AS block_time, -- Start of the day, UTC
    toDate(s.hour) AS block_date -- Date, UTC
FROM {sums activity account_days} AS s
GROUP BY s.hour, s.workchain
