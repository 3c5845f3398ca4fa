-- The accounts of each action: lists of an account are filtered, ordered and cut here.
CREATE TABLE IF NOT EXISTS {db}.action_accounts{cluster}
(
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    trace_end_lt UInt64 COMMENT 'Logical time of the last transaction of the trace.' CODEC(Delta, ZSTD(1)),
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.' CODEC(LZ4),
    end_lt UInt64 COMMENT 'Highest logical time of the action.' CODEC(Delta, ZSTD(1)),
    action_id FixedString(32) COMMENT 'Id of the action.' CODEC(LZ4),
    trace_id FixedString(32) COMMENT 'Trace of the action: hash of its first transaction.' CODEC(LZ4),
    trace_end_utime UInt32 COMMENT 'Time of the last transaction of the trace, Unix seconds.' CODEC(Delta, ZSTD(1)),
    end_utime UInt32 COMMENT 'Time of the last transaction of the action, Unix seconds.' CODEC(Delta, ZSTD(1)),
    type LowCardinality(String) COMMENT 'Type of the action: jetton_transfer, nft_transfer …' CODEC(ZSTD(1)),
    ancestor_types Array(LowCardinality(String)) COMMENT 'Types of the actions that contain this one, outermost first.' CODEC(ZSTD(1)),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, trace_end_lt, trace8, end_lt, action_id)
SETTINGS index_granularity = 1024
COMMENT 'Actions of an account: lists of an account are filtered, ordered and cut here.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.action_accounts_mv{cluster} TO {db}.action_accounts AS
SELECT account, workchain, trace_end_lt, trace8, end_lt, action_id, trace_id, trace_end_utime, end_utime, type,
    if(l.ancestor_types = '', [], splitByChar(',', l.ancestor_types)) AS ancestor_types, mc_seqno
FROM {db}.land_action_accounts AS l;

-- How many traces each masterchain step finished, how many actions they have, and how many could not be classified as a whole.
CREATE TABLE IF NOT EXISTS {db}.action_steps{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    finished UInt32 COMMENT 'Traces that the step completed.' CODEC(ZSTD(1)),
    actions UInt32 COMMENT 'Actions of these traces.' CODEC(ZSTD(1)),
    failed UInt32 COMMENT 'Traces that could not be classified.' CODEC(ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY mc_seqno
SETTINGS index_granularity = 8192
COMMENT 'What the classifier did in a masterchain step.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.action_steps_mv{cluster} TO {db}.action_steps AS
SELECT mc_seqno, finished, actions, failed FROM {db}.land_action_steps;

-- Matchers that failed for a reason of their own, and what kept traces from being classified.
CREATE TABLE IF NOT EXISTS {db}.action_problems{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    trace_id FixedString(32) COMMENT 'Hash of the first transaction of the trace.' CODEC(LZ4),
    matcher LowCardinality(String) COMMENT 'Name of the matcher.' CODEC(ZSTD(1)),
    error String COMMENT 'The error.' CODEC(ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (mc_seqno, trace_id)
SETTINGS index_granularity = 8192
COMMENT 'Matchers that failed, and errors that kept traces from being classified.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.action_problems_mv{cluster} TO {db}.action_problems AS
SELECT mc_seqno, trace_id, matcher, error FROM {db}.land_action_problems;
