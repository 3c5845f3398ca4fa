-- Sums of transactions by hour and outcome, a row for a hundred masterchain steps (src/tables/sums/sums.ts).
CREATE TABLE IF NOT EXISTS {db}.transaction_hours{cluster}
(
    hour DateTime('UTC') COMMENT 'Start of the hour, UTC.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    aborted Bool COMMENT 'The transactions were aborted.' CODEC(ZSTD(1)),
    compute_type Enum8('none' = 0, 'skipped' = 1, 'vm' = 2) COMMENT 'Form of the compute phase.' CODEC(ZSTD(1)),
    compute_exit_code Int32 COMMENT 'Exit code of the TVM; 0 unless it ran.' CODEC(ZSTD(1)),
    has_action Bool COMMENT 'The transactions have an action phase.' CODEC(ZSTD(1)),
    action_result_code Int32 COMMENT 'Result code of the action phase.' CODEC(ZSTD(1)),
    steps UInt32 COMMENT 'Masterchain steps of the row: mc_seqno / 100, rounded down.' CODEC(ZSTD(1)),
    transactions Int64 COMMENT 'Transactions.' CODEC(ZSTD(1)),
    activations Int64 COMMENT 'Transactions that activated the account.' CODEC(ZSTD(1)),
    gas_used Int128 COMMENT 'Gas used, units.' CODEC(ZSTD(1)),
    total_fees Int128 COMMENT 'All fees, nanotons.' CODEC(ZSTD(1)),
    gas_fees Int128 COMMENT 'Gas fees, nanotons.' CODEC(ZSTD(1)),
    storage_fees Int128 COMMENT 'Storage fees, nanotons.' CODEC(ZSTD(1)),
    forward_fees Int128 COMMENT 'Forward fees of actions, nanotons.' CODEC(ZSTD(1))
)
ENGINE = {engine:SummingMergeTree((transactions, activations, gas_used, total_fees, gas_fees, storage_fees, forward_fees))}
ORDER BY (hour, workchain, aborted, compute_type, compute_exit_code, has_action, action_result_code, steps)
SETTINGS index_granularity = 1024
COMMENT 'Transactions by hour and outcome.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.transaction_hours_mv{cluster} TO {db}.transaction_hours AS
SELECT toStartOfHour(toDateTime(now, 'UTC')) AS hour,
    workchain,
    aborted,
    compute_type,
    compute_exit_code,
    has_action,
    action_result_code,
    intDiv(mc_seqno, 100) AS steps,
    CAST(sum(1), 'Int64') AS transactions,
    CAST(sum(toInt64(end_status = 'active' AND orig_status != 'active')), 'Int64') AS activations,
    CAST(sum(toInt128(compute_gas_used)), 'Int128') AS gas_used,
    CAST(sum(toInt128(total_fees)), 'Int128') AS total_fees,
    CAST(sum(toInt128(compute_gas_fees)), 'Int128') AS gas_fees,
    CAST(sum(toInt128(storage_fees_collected)), 'Int128') AS storage_fees,
    CAST(sum(toInt128(ifNull(action_total_fwd_fees, 0))), 'Int128') AS forward_fees
FROM {db}.land_transactions
GROUP BY hour, workchain, aborted, compute_type, compute_exit_code, has_action, action_result_code, steps;
