-- Cells that no block of the index shows, fetched by their hash and proved by it: each as a bag with everything below it.
-- They belong to no version of a projection: a hash names one cell for ever.
CREATE TABLE IF NOT EXISTS {db}.fetched_cells{cluster}
(
    hash FixedString(32) COMMENT 'Hash of the cell.',
    boc String COMMENT 'Bag of the cell with everything below it.' CODEC(ZSTD(3))
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY hash
SETTINGS index_granularity = 256
COMMENT 'Cells that no block of the index has, fetched by their hash and proved by it.';
