-- How many rows each table should hold for a masterchain step, as they were counted before they were inserted: the
-- measure by which `verify` finds what is missing of any table, and which steps to build again.
-- A table without rows in the step is left out; names in alphabetical order.
CREATE TABLE IF NOT EXISTS {db}.land_step_rows{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the rows.',
    rows Map(String, UInt64) COMMENT 'Rows by table, as they were counted before they were inserted.'
)
ENGINE = Null
COMMENT 'How many rows each table must have for a masterchain step: missing rows are found by it.';

CREATE TABLE IF NOT EXISTS {db}.step_rows{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the rows.' CODEC(Delta, ZSTD(1)),
    rows Map(LowCardinality(String), UInt64) COMMENT 'Rows by table, as they were counted before they were inserted.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY mc_seqno
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'How many rows each table must have for a masterchain step: missing rows are found by it.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.step_rows_mv{cluster} TO {db}.step_rows AS
SELECT * FROM {db}.land_step_rows;
