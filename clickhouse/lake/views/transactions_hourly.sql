-- Transactions, gas and fees by hour and workchain.
-- reads: base
-- needs: base.transaction_hours.hour
SELECT
    s.hour AS hour, -- Start of the hour, UTC
    s.workchain AS workchain, -- Workchain of the accounts
    toInt64(sum(s.transactions)) AS transactions, -- Transactions
    toInt64(sumIf(s.transactions, s.aborted)) AS aborted, -- Aborted transactions
    toInt64(sum(s.activations)) AS activations, -- Transactions that activated their account
    toDecimal128(toString(sum(s.gas_used)), 0) AS gas_used, -- Gas used, units
    toDecimal128(toString(sum(s.total_fees)), 0) AS total_fees, -- All fees, nanotons
    toDecimal128(toString(sum(s.gas_fees)), 0) AS gas_fees, -- Gas fees, nanotons
    toDecimal128(toString(sum(s.storage_fees)), 0) AS storage_fees, -- Storage fees, nanotons
    toDecimal128(toString(sum(s.forward_fees)), 0) AS forward_fees, -- Forward fees of actions, nanotons
    s.hour AS block_time, -- The same as hour
    toDate(s.hour) AS block_date -- Date of the hour, UTC
FROM {sums base transaction_hours} AS s
GROUP BY s.hour, s.workchain
