-- Named users of the SQL endpoint. `hash`: SHA-256 of the password, which is random. Rows are only added, the highest revision of a
-- name counts.
CREATE TABLE IF NOT EXISTS {secrets}.sql_users{cluster}
(
    name String COMMENT 'Name of the user.',
    hash FixedString(64) COMMENT 'SHA-256 of the random password, hex.',
    created_at DateTime COMMENT 'When it was created.',
    is_removed Bool COMMENT 'True if it was removed.',
    revision UInt32 COMMENT 'Number of the row: the highest one counts.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:MergeTree}
ORDER BY (name, revision)
COMMENT 'Named users of the SQL endpoint.';
