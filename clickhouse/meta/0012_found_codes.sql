-- Methods of codes that no state of the index shows whole: library cells, by the cell that they stand for, and codes that were
-- fetched. They belong to no version of a projection: a hash names one cell for ever. `library`: hash of what a library cell
-- stands for, zeros for a code of its own. `is_found`: false where the library is nowhere in the index.
CREATE TABLE IF NOT EXISTS {db}.found_codes{cluster}
(
    code_hash FixedString(32),
    library FixedString(32),
    is_known Bool,
    is_found Bool,
    methods String CODEC(ZSTD(1)),
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY code_hash
SETTINGS index_granularity = 256;
