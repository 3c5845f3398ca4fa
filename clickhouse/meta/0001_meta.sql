-- What the store knows about itself; one database a network, beside the databases of the projection versions.

-- Which network the store holds. The first value of a key counts: a later one is a start that lost the race.
CREATE TABLE IF NOT EXISTS {db}.identity{cluster}
(
    key String COMMENT 'Name of the fact.',
    value String COMMENT 'The fact.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:MergeTree}
ORDER BY (key, at)
COMMENT 'Which network the store has. The first value of a key counts.';

-- Migration files that were applied, by database. The newest row of a file counts.
CREATE TABLE IF NOT EXISTS {db}.migrations{cluster}
(
    database String COMMENT 'Database that the file was applied to.',
    file String COMMENT 'Folder and name of the file.',
    checksum FixedString(64) COMMENT 'SHA-256 of the file without comments of columns and tables, hex.',
    applied_at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(applied_at)}
ORDER BY (database, file)
COMMENT 'Applied migration files. The newest row of a file counts.';

-- Which version of a projection answers are read from: rows are only added, the highest revision counts.
CREATE TABLE IF NOT EXISTS {db}.projection_pointer{cluster}
(
    `projection` String COMMENT 'Name of the projection.',
    version UInt32 COMMENT 'Version that is served.',
    revision UInt64 COMMENT 'Number of the row: the highest one counts.',
    changed_at DateTime64(3) DEFAULT now64(3) COMMENT 'When the version was announced.'
)
ENGINE = {engine:MergeTree}
ORDER BY (projection, revision)
COMMENT 'Which version of a projection answers are read from. The highest revision counts.';
