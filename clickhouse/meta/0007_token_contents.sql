-- What the links of tokens' metadata lead to: JSON, empty where nothing could be read; the newest row of a link counts. It is
-- asked for again at `next_at` (Unix seconds), later with every failure in a row. No projection makes these rows: they come from outside.
CREATE TABLE IF NOT EXISTS {db}.token_contents{cluster}
(
    link_hash FixedString(32),
    link String CODEC(ZSTD(3)),
    content String CODEC(ZSTD(3)),
    failures UInt8,
    next_at UInt32,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY link_hash
SETTINGS index_granularity = 256;
