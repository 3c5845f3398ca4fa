-- The accounts of each action: lists of an account are filtered, ordered and cut here.
CREATE TABLE IF NOT EXISTS {db}.action_accounts{cluster}
(
    account FixedString(32) CODEC(LZ4),
    workchain Int32 CODEC(ZSTD(1)),
    trace_end_lt UInt64 CODEC(Delta, ZSTD(1)),
    trace8 UInt64 CODEC(LZ4),
    end_lt UInt64 CODEC(Delta, ZSTD(1)),
    action_id FixedString(32) CODEC(LZ4),
    trace_id FixedString(32) CODEC(LZ4),
    trace_end_utime UInt32 CODEC(Delta, ZSTD(1)),
    end_utime UInt32 CODEC(Delta, ZSTD(1)),
    type LowCardinality(String) CODEC(ZSTD(1)),
    ancestor_types Array(LowCardinality(String)) CODEC(ZSTD(1)),
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, trace_end_lt, trace8, end_lt, action_id)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.action_accounts_mv{cluster} TO {db}.action_accounts AS
SELECT account, workchain, trace_end_lt, trace8, end_lt, action_id, trace_id, trace_end_utime, end_utime, type,
    if(l.ancestor_types = '', [], splitByChar(',', l.ancestor_types)) AS ancestor_types, mc_seqno
FROM {db}.land_action_accounts AS l;

-- How many traces each masterchain step finished, how many actions they have, and how many could not be classified as a whole.
CREATE TABLE IF NOT EXISTS {db}.action_steps{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    finished UInt32 CODEC(ZSTD(1)),
    actions UInt32 CODEC(ZSTD(1)),
    failed UInt32 CODEC(ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY mc_seqno
SETTINGS index_granularity = 8192;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.action_steps_mv{cluster} TO {db}.action_steps AS
SELECT mc_seqno, finished, actions, failed FROM {db}.land_action_steps;

-- Matchers that failed for a reason of their own, and what kept traces from being classified.
CREATE TABLE IF NOT EXISTS {db}.action_problems{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    trace_id FixedString(32) CODEC(LZ4),
    matcher LowCardinality(String) CODEC(ZSTD(1)),
    error String CODEC(ZSTD(1)),
    part UInt16 DEFAULT 0 CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (mc_seqno, trace_id)
SETTINGS index_granularity = 8192;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.action_problems_mv{cluster} TO {db}.action_problems AS
SELECT mc_seqno, trace_id, matcher, error FROM {db}.land_action_problems;
