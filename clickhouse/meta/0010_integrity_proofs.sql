-- How far the continuous proof of each version's tables is, as JSON: the newest row of a database counts.
CREATE TABLE IF NOT EXISTS {db}.integrity_proofs{cluster}
(
    database String,
    state String CODEC(ZSTD(3)),
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY database;
