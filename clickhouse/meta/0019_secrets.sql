-- Secrets of the network, in a database of their own that the reader (clickhouse/reader.xml) cannot read. `migrate` moves the rows of
-- 0004 and 0009 here and drops those tables. Rows are only added, the highest revision of an id counts.

-- Keys of the API: hashes only. `requests_per_second` 0: no limit. `expires_at` 0: never.
CREATE TABLE IF NOT EXISTS {secrets}.api_keys{cluster}
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

-- Webhooks: where events are sent. `secret` signs deliveries. `filter`: the subscription as JSON.
CREATE TABLE IF NOT EXISTS {secrets}.hooks{cluster}
(
    id String COMMENT 'Id of the webhook.',
    url String COMMENT 'Where events are sent.',
    secret String COMMENT 'Key that signs deliveries.',
    filter String COMMENT 'Subscription, JSON.',
    start String COMMENT 'Position of the first event.',
    allows_private Bool COMMENT 'True if the address may be private.',
    created_at DateTime COMMENT 'When it was created.',
    is_removed Bool COMMENT 'True if it was removed.',
    revision UInt32 COMMENT 'Number of the row: the highest one counts.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:MergeTree}
ORDER BY (id, revision)
COMMENT 'Webhooks.';
