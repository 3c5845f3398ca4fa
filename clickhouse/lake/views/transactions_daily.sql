-- Transactions, gas and fees by day and workchain.
-- reads: base
-- needs: base.transaction_hours.hour
SELECT
    h.block_date AS day, -- The day, UTC
    h.workchain AS workchain, -- Workchain of the accounts
    toInt64(sum(h.transactions)) AS transactions, -- Transactions
    toInt64(sum(h.aborted)) AS aborted, -- Aborted transactions
    toInt64(sum(h.activations)) AS activations, -- Transactions that activated their account
    CAST(sum(h.gas_used), 'Decimal(38, 0)') AS gas_used, -- Gas used, units
    CAST(sum(h.total_fees), 'Decimal(38, 0)') AS total_fees, -- All fees, nanotons
    CAST(sum(h.gas_fees), 'Decimal(38, 0)') AS gas_fees, -- Gas fees, nanotons
    CAST(sum(h.storage_fees), 'Decimal(38, 0)') AS storage_fees, -- Storage fees, nanotons
    CAST(sum(h.forward_fees), 'Decimal(38, 0)') AS forward_fees, -- Forward fees of actions, nanotons
    toDateTime(h.block_date, 'UTC') AS block_time, -- Start of the day, UTC
    h.block_date AS block_date -- The day, UTC
FROM {views}.transactions_hourly AS h
GROUP BY h.block_date, h.workchain
