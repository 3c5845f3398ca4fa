-- Keys of the API: hashes only, the keys themselves are nowhere. Rows are only added, the highest revision of an id counts.
-- `requests_per_second` 0: without a limit. `expires_at` 0: never.
CREATE TABLE IF NOT EXISTS {db}.api_keys{cluster}
(
    id String,
    name String,
    hash FixedString(64),
    requests_per_second UInt32,
    created_at DateTime,
    expires_at DateTime,
    is_revoked Bool,
    revision UInt32,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:MergeTree}
ORDER BY (id, revision);
