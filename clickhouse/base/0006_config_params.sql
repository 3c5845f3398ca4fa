-- Configuration parameters as key blocks carry them.
CREATE TABLE IF NOT EXISTS {db}.config_params{cluster}
(
    mc_seqno UInt32 COMMENT 'Seqno of the key block.',
    param Int32 COMMENT 'Number of the parameter.',
    hash FixedString(32) COMMENT 'Hash of the parameter\'s cell.',
    boc String COMMENT 'The parameter\'s cell as a bag of cells.' CODEC(ZSTD(3))
)
ENGINE = {engine:MergeTree}
ORDER BY (param, mc_seqno)
SETTINGS index_granularity = 256, merge_selector_base = 20
COMMENT 'Configuration parameters of key blocks, one row per parameter. Rule: ConfigParams of block.tlb.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.config_params_mv{cluster} TO {db}.config_params AS
SELECT * FROM {db}.land_config_params;
