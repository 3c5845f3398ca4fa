-- What is known of each version of a projection: which decoder built it, how far that is. The highest revision counts.
-- A version that no row names was built by the decoder of the same number.
CREATE TABLE IF NOT EXISTS {db}.projection_versions{cluster}
(
    `projection` String COMMENT 'Name of the projection.',
    version UInt32 COMMENT 'The version.',
    code_version UInt32 COMMENT 'Version of the code that built it.',
    state Enum8('building' = 0, 'switching' = 1, 'ready' = 2, 'dropped' = 3) COMMENT 'How far the version is.',
    detail String COMMENT 'Schema and progress, JSON.',
    revision UInt64 COMMENT 'Number of the row: the highest one counts.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:MergeTree}
ORDER BY (projection, version, revision)
COMMENT 'Versions of projections. The highest revision counts. A version without a row was built by the code of its number.';

-- Batches of a replay, written before their rows: what is not confirmed afterwards was cut off (dirty), is deleted
-- and written again, and what its rows were merged into is made whole (repaired).
CREATE TABLE IF NOT EXISTS {db}.replay_journal{cluster}
(
    database String COMMENT 'Database of the version.',
    event Enum8('begun' = 0, 'dirty' = 1, 'repaired' = 2) COMMENT 'begun: rows follow; dirty: it was cut off, and is deleted and written again; repaired: merged tables have its rows.',
    first UInt32 COMMENT 'First masterchain step of the batch.',
    last UInt32 COMMENT 'Last masterchain step of the batch.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:MergeTree}
ORDER BY (database, event, first, last)
COMMENT 'Batches of a replay, written before their rows.';

-- Start states, which `raw_blocks` does not hold: kept here before the log forgets them. `value`: the log's datum.
CREATE TABLE IF NOT EXISTS {db}.raw_states{cluster}
(
    position UInt32 COMMENT 'Masterchain step of the state.',
    key String COMMENT 'Key of the record in the log.',
    root_hash String COMMENT 'Root hash of the state, hex.',
    value String COMMENT 'Record of the log.' CODEC(ZSTD(3))
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY (position, key)
COMMENT 'Start states, which raw_blocks does not have.';
