-- Webhooks: where events are sent. Rows are only added, the highest revision of an id counts. `secret` signs, and so stands as it
-- is. `filter`: the subscription as JSON.
CREATE TABLE IF NOT EXISTS {db}.hooks{cluster}
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

-- How far each webhook was delivered: the newest row counts.
CREATE TABLE IF NOT EXISTS {db}.hook_positions{cluster}
(
    hook String COMMENT 'Id of the webhook.',
    position String COMMENT 'Position after the last delivered event.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY hook
COMMENT 'How far each webhook was delivered. The newest row counts.';

-- Deliveries that were given up. The newest row of a delivery counts; `open`: waits for a retry, `due`: a retry was asked for.
CREATE TABLE IF NOT EXISTS {db}.hook_dead_letters{cluster}
(
    hook String COMMENT 'Id of the webhook.',
    delivery String COMMENT 'Id of the delivery.',
    body String COMMENT 'Body of the request.' CODEC(ZSTD(3)),
    error String COMMENT 'Error of the last attempt.',
    state Enum8('open' = 0, 'due' = 1, 'delivered' = 2) COMMENT 'open: not retried; due: a retry was requested; delivered.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY (hook, delivery)
COMMENT 'Deliveries that failed for good. The newest row of a delivery counts.';
