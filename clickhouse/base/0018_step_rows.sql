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
SETTINGS index_granularity = 1024, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.step_rows_mv{cluster} TO {db}.step_rows AS
SELECT * FROM {db}.land_step_rows;
