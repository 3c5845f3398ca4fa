-- How many rows each table should hold for a masterchain step and partition, as they were counted before they were
-- inserted: the measure by which missing rows are found.
CREATE TABLE IF NOT EXISTS {db}.land_step_rows{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the rows.',
    part UInt16 COMMENT 'Partition of the projection.',
    rows Map(String, UInt64) COMMENT 'Rows by table, as they were counted before they were inserted.'
)
ENGINE = Null
COMMENT 'How many rows each table must have for a masterchain step: missing rows are found by it.';

CREATE TABLE IF NOT EXISTS {db}.step_rows{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the rows.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection.',
    rows Map(LowCardinality(String), UInt64) COMMENT 'Rows by table, as they were counted before they were inserted.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (mc_seqno, part)
SETTINGS index_granularity = 1024
COMMENT 'How many rows each table must have for a masterchain step: missing rows are found by it.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.step_rows_mv{cluster} TO {db}.step_rows AS
SELECT * FROM {db}.land_step_rows;
