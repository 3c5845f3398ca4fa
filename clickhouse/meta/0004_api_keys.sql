-- Keys of the API: hashes only, the keys themselves are nowhere. Rows are only added, the highest revision of an id counts.
-- `requests_per_second` 0: without a limit. `expires_at` 0: never.
CREATE TABLE IF NOT EXISTS {db}.api_keys{cluster}
(
    id String COMMENT 'Id of the key.',
    name String COMMENT 'Name that the operator gave.',
    hash FixedString(64) COMMENT 'SHA-256 of the key, hex.',
    requests_per_second UInt32 COMMENT 'Limit; 0 for none.',
    created_at DateTime COMMENT 'When it was created.',
    expires_at DateTime COMMENT 'When the key ends; 0 for never.',
    is_revoked Bool COMMENT 'True if the key was revoked.',
    revision UInt32 COMMENT 'Number of the row: the highest one counts.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:MergeTree}
ORDER BY (id, revision)
COMMENT 'Keys of the API. Only their hashes are stored.';
