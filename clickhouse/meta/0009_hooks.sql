-- Webhooks: where events are sent. Rows are only added, the highest revision of an id counts. `secret` signs, and so stands as it
-- is. `filter`: the subscription as JSON.
CREATE TABLE IF NOT EXISTS {db}.hooks{cluster}
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

-- How far each webhook was delivered: the newest row counts.
CREATE TABLE IF NOT EXISTS {db}.hook_positions{cluster}
(
    hook String,
    position String,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY hook;

-- Deliveries that were given up. The newest row of a delivery counts; `open`: waits for a retry, `due`: a retry was asked for.
CREATE TABLE IF NOT EXISTS {db}.hook_dead_letters{cluster}
(
    hook String,
    delivery String,
    body String CODEC(ZSTD(3)),
    error String,
    state Enum8('open' = 0, 'due' = 1, 'delivered' = 2),
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY (hook, delivery);
