-- Configuration parameters as key blocks carry them.
CREATE TABLE IF NOT EXISTS {db}.config_params{cluster}
(
    mc_seqno UInt32,
    param Int32,
    hash FixedString(32),
    boc String CODEC(ZSTD(3))
)
ENGINE = {engine:MergeTree}
ORDER BY (param, mc_seqno)
SETTINGS index_granularity = 256, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.config_params_mv{cluster} TO {db}.config_params AS
SELECT * FROM {db}.land_config_params;
