-- Aborted transactions by day, phase and code.
-- reads: base
-- needs: base.transaction_hours.hour
SELECT
    h.block_date AS day, -- The day, UTC
    h.phase AS phase, -- compute, action, skipped or other
    h.exit_code AS exit_code, -- Exit code of the contract or result of the action phase; null for skipped and other
    toInt64(sum(h.failures)) AS failures, -- Aborted transactions
    toDateTime(h.block_date, 'UTC') AS block_time, -- Start of the day, UTC
    h.block_date AS block_date -- The day, UTC
FROM {views}.failures_hourly AS h
GROUP BY h.block_date, h.phase, h.exit_code
