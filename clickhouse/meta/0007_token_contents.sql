-- What the links of tokens' metadata lead to: JSON, empty where nothing could be read; the newest row of a link counts. It is
-- asked for again at `next_at` (Unix seconds), later with every failure in a row. No projection makes these rows: they come from outside.
CREATE TABLE IF NOT EXISTS {db}.token_contents{cluster}
(
    link_hash FixedString(32) COMMENT 'SHA-256 of the link.',
    link String COMMENT 'The link.' CODEC(ZSTD(3)),
    content String COMMENT 'JSON; empty if nothing could be read.' CODEC(ZSTD(3)),
    failures UInt8 COMMENT 'Failures in a row.',
    next_at UInt32 COMMENT 'When the link is requested again, Unix seconds.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY link_hash
SETTINGS index_granularity = 256
COMMENT 'What the links of tokens\' metadata return. The newest row of a link counts.';
