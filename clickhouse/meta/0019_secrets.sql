-- Secrets of the network, in a database of their own that the reader (clickhouse/reader.xml) cannot read. `migrate` moves the rows of
-- 0004 and 0009 here and drops those tables. Rows are only added, the highest revision of an id counts.

-- Keys of the API: hashes only. `requests_per_second` 0: no limit. `expires_at` 0: never.
CREATE TABLE IF NOT EXISTS {secrets}.api_keys{cluster}
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

-- Webhooks: where events are sent. `secret` signs deliveries. `filter`: the subscription as JSON.
CREATE TABLE IF NOT EXISTS {secrets}.hooks{cluster}
(
    id String,
    url String,
    secret String,
    filter String,
    start String,
    allows_private Bool,
    created_at DateTime,
    is_removed Bool,
    revision UInt32,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:MergeTree}
ORDER BY (id, revision);
