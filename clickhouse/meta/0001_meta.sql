-- What the store knows about itself; one database a network, beside the databases of the projection versions.

-- Which network the store holds. The first value of a key counts: a later one is a start that lost the race.
CREATE TABLE IF NOT EXISTS {db}.identity{cluster}
(
    key String,
    value String,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:MergeTree}
ORDER BY (key, at);

-- Migration files that were applied, by database. The newest row of a file counts.
CREATE TABLE IF NOT EXISTS {db}.migrations{cluster}
(
    database String,
    file String,
    checksum FixedString(64),
    applied_at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(applied_at)}
ORDER BY (database, file);

-- Which version of a projection answers are read from: rows are only added, the highest revision counts.
CREATE TABLE IF NOT EXISTS {db}.projection_pointer{cluster}
(
    `projection` String,
    version UInt32,
    revision UInt64,
    changed_at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:MergeTree}
ORDER BY (projection, revision);
