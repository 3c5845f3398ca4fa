-- How far the continuous proof of each version's tables is, as JSON: the newest row of a database counts.
CREATE TABLE IF NOT EXISTS {db}.integrity_proofs{cluster}
(
    database String COMMENT 'Database of the version.',
    state String COMMENT 'How far the proof is, JSON.' CODEC(ZSTD(3)),
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY database
COMMENT 'State of the continuous proof of each version. The newest row of a database counts.';
