-- What is known of each version of a projection: which decoder built it, how far that is. The highest revision counts.
-- A version that no row names was built by the decoder of the same number.
CREATE TABLE IF NOT EXISTS {db}.projection_versions{cluster}
(
    `projection` String,
    version UInt32,
    code_version UInt32,
    state Enum8('building' = 0, 'switching' = 1, 'ready' = 2, 'dropped' = 3),
    detail String,
    revision UInt64,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:MergeTree}
ORDER BY (projection, version, revision);

-- Batches of a replay, written before their rows: what is not confirmed afterwards was cut off (dirty), is deleted
-- and written again, and what its rows were merged into is made whole (repaired).
CREATE TABLE IF NOT EXISTS {db}.replay_journal{cluster}
(
    database String,
    event Enum8('begun' = 0, 'dirty' = 1, 'repaired' = 2),
    first UInt32,
    last UInt32,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:MergeTree}
ORDER BY (database, event, first, last);

-- Start states, which `raw_blocks` does not hold: kept here before the log forgets them. `value`: the log's datum.
CREATE TABLE IF NOT EXISTS {db}.raw_states{cluster}
(
    position UInt32,
    key String,
    root_hash String,
    value String CODEC(ZSTD(3))
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY (position, key);
