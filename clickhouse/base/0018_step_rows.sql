-- How many rows each table should hold for a masterchain step, as they were counted before they were inserted: the
-- measure by which `verify` finds what is missing of any table, and which steps to build again.
-- A table without rows in the step is left out; names in alphabetical order.
CREATE TABLE IF NOT EXISTS {db}.land_step_rows{cluster}
(
    mc_seqno UInt32,
    rows Map(String, UInt64)
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.step_rows{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    rows Map(LowCardinality(String), UInt64) CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY mc_seqno
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.step_rows_mv{cluster} TO {db}.step_rows AS
SELECT * FROM {db}.land_step_rows;

-- Steps that were indexed before this file: counted as they stand.
INSERT INTO {db}.step_rows
SELECT mc_seqno, mapSort(mapFromArrays(groupArray(name), groupArray(number)))
FROM
(
    SELECT mc_seqno, 'blocks' AS name, count() AS number FROM {db}.blocks GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'blocks_by_id', count() FROM {db}.blocks_by_id GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'blocks_by_time', count() FROM {db}.blocks_by_time GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'blocks_by_lt', count() FROM {db}.blocks_by_lt GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'block_hashes', count() FROM {db}.block_hashes GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'shards', count() FROM {db}.shards GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'config_params', count() FROM {db}.config_params GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'transactions', count() FROM {db}.transactions GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'account_transactions', count() FROM {db}.account_transactions GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'transaction_hashes', count() FROM {db}.transaction_hashes GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'messages', count() FROM {db}.messages GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'message_hashes', count() FROM {db}.message_hashes GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'message_norm_hashes', count() FROM {db}.message_norm_hashes GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'message_bodies', count() FROM {db}.message_bodies GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'messages_by_source', count() FROM {db}.messages_by_source GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'messages_by_destination', count() FROM {db}.messages_by_destination GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'messages_by_opcode', count() FROM {db}.messages_by_opcode GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'account_states', count() FROM {db}.account_states GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'account_cells', count() FROM {db}.account_cells GROUP BY mc_seqno
    UNION ALL SELECT mc_seqno, 'raw_blocks', count() FROM {db}.raw_blocks GROUP BY mc_seqno
)
WHERE mc_seqno NOT IN (SELECT mc_seqno FROM {db}.step_rows)
GROUP BY mc_seqno;
