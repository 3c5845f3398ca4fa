-- Methods of codes that no state of the index shows whole: library cells, by the cell that they stand for, and codes that were
-- fetched. They belong to no version of a projection: a hash names one cell for ever. `library`: hash of what a library cell
-- stands for, zeros for a code of its own. `is_found`: false where the library is nowhere in the index.
CREATE TABLE IF NOT EXISTS {db}.found_codes{cluster}
(
    code_hash FixedString(32) COMMENT 'Hash of the code.',
    library FixedString(32) COMMENT 'Hash of the cell that a library cell stands for; zeros for an ordinary code.',
    is_known Bool COMMENT 'The data of its accounts is read without the TVM.',
    is_found Bool COMMENT 'False if the library is not in the index.',
    methods String COMMENT 'Ids of its methods, four bytes each, least significant first.' CODEC(ZSTD(1)),
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY code_hash
SETTINGS index_granularity = 256
COMMENT 'Methods of codes that no state of the index has completely: library cells and fetched codes.';
