-- Named users of the SQL endpoint. `hash`: SHA-256 of the password, which is random. Rows are only added, the highest revision of a
-- name counts.
CREATE TABLE IF NOT EXISTS {secrets}.sql_users{cluster}
(
    name String,
    hash FixedString(64),
    created_at DateTime,
    is_removed Bool,
    revision UInt32,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:MergeTree}
ORDER BY (name, revision);
