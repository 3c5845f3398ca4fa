-- Aborted transactions by hour, phase and code.
-- reads: base
-- needs: base.transaction_hours.hour
SELECT
    f.hour AS hour, -- Start of the hour, UTC
    f.phase AS phase, -- compute or action: the phase that failed; skipped: the compute phase did not run; other
    f.exit_code AS exit_code, -- Exit code of the contract or result of the action phase: see ton.exit_codes; null for skipped and other
    toInt64(sum(f.transactions)) AS failures, -- Aborted transactions
    f.hour AS block_time, -- The same as hour
    toDate(f.hour) AS block_date -- Date of the hour, UTC
FROM
(
    SELECT
        s.hour AS hour, s.transactions AS transactions,
        multiIf(s.compute_type = 'skipped', 'skipped', s.compute_type = 'vm' AND s.compute_exit_code NOT IN (0, 1), 'compute', s.has_action AND s.action_result_code != 0, 'action', 'other') AS phase,
        multiIf(phase = 'compute', toNullable(s.compute_exit_code), phase = 'action', toNullable(s.action_result_code), NULL) AS exit_code
    FROM {sums base transaction_hours} AS s
    WHERE s.aborted
) AS f
GROUP BY f.hour, f.phase, f.exit_code
