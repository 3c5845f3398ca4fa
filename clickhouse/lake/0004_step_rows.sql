-- How many rows each table should hold for a masterchain step and partition, as they were counted before they were
-- inserted: the measure by which missing rows are found.
CREATE TABLE IF NOT EXISTS {db}.land_step_rows{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    rows Map(String, UInt64)
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.step_rows{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16,
    rows Map(LowCardinality(String), UInt64) CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (mc_seqno, part)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.step_rows_mv{cluster} TO {db}.step_rows AS
SELECT * FROM {db}.land_step_rows;
