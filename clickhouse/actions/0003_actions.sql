-- Actions in the order of lists: by the end of their trace. Times are Unix seconds. accounts: workchain (4 bytes, signed, big
-- endian) and id of each; details: JSON as the API answers it, empty where the type has no layout and raw_action is shown.
-- `part`: the projection has one partition.
CREATE TABLE IF NOT EXISTS {db}.actions{cluster}
(
    trace_end_lt UInt64 COMMENT 'Logical time of the last transaction of the trace.' CODEC(Delta, ZSTD(1)),
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.' CODEC(LZ4),
    end_lt UInt64 COMMENT 'Highest logical time of the action.' CODEC(Delta, ZSTD(1)),
    action_id FixedString(32) COMMENT 'Id of the action.' CODEC(LZ4),
    trace_id FixedString(32) COMMENT 'Trace of the action: hash of its first transaction.' CODEC(LZ4),
    trace_end_utime UInt32 COMMENT 'Time of the last transaction of the trace, Unix seconds.' CODEC(Delta, ZSTD(1)),
    external_hash FixedString(32) COMMENT 'Hash of the message that began the trace; zeros for none.' CODEC(ZSTD(1)),
    start_lt UInt64 COMMENT 'Lowest logical time of the action.' CODEC(Delta, ZSTD(1)),
    start_utime UInt32 COMMENT 'Time of the first transaction of the action, Unix seconds.' CODEC(Delta, ZSTD(1)),
    end_utime UInt32 COMMENT 'Time of the last transaction of the action, Unix seconds.' CODEC(Delta, ZSTD(1)),
    type LowCardinality(String) COMMENT 'Type of the action: jetton_transfer, nft_transfer …' CODEC(ZSTD(1)),
    answered_type LowCardinality(String) COMMENT 'Type that answers show.' CODEC(ZSTD(1)),
    ancestor_types Array(LowCardinality(String)) COMMENT 'Types of the actions that contain this one, outermost first.' CODEC(ZSTD(1)),
    success Bool COMMENT 'True if the action ended well.' CODEC(ZSTD(1)),
    accounts Array(FixedString(36)) COMMENT 'Accounts of the action: workchain (4 bytes, signed, big endian) and id.' CODEC(ZSTD(1)),
    tx_hashes Array(FixedString(32)) COMMENT 'Hashes of the transactions of the action.' CODEC(ZSTD(1)),
    details String COMMENT 'Details as the API returns them, JSON; empty if the type has no layout.' CODEC(ZSTD(3)),
    raw_action String COMMENT 'Columns of the classifier, JSON; empty if there are details.' CODEC(ZSTD(3)),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_end_utime trace_end_utime TYPE minmax GRANULARITY 1,
    INDEX by_type type TYPE set(100) GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (trace_end_lt, trace8, end_lt, action_id)
SETTINGS index_granularity = 1024
COMMENT 'Actions: what a trace did, as explorers show it.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.actions_mv{cluster} TO {db}.actions AS
SELECT trace_end_lt, trace8, end_lt, action_id, trace_id, trace_end_utime, external_hash, start_lt, start_utime, end_utime,
    type, answered_type, if(l.ancestor_types = '', [], splitByChar(',', l.ancestor_types)) AS ancestor_types, success,
    arrayMap(i -> toFixedString(substring(l.accounts, 36 * i + 1, 36), 36), range(intDiv(length(l.accounts), 36))) AS accounts,
    arrayMap(i -> toFixedString(substring(l.tx_hashes, 32 * i + 1, 32), 32), range(intDiv(length(l.tx_hashes), 32))) AS tx_hashes,
    details, raw_action, mc_seqno
FROM {db}.land_actions AS l;

-- Action id -> where the action stands.
CREATE TABLE IF NOT EXISTS {db}.action_ids{cluster}
(
    id8 UInt64 COMMENT 'First 8 bytes of action_id as a number, most significant first.',
    trace_end_lt UInt64 COMMENT 'Logical time of the last transaction of the trace.' CODEC(ZSTD(1)),
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.' CODEC(LZ4),
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(ZSTD(1)),
    part UInt16 DEFAULT 0 COMMENT 'The projection has one partition.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY id8
SETTINGS index_granularity = 1024
COMMENT 'Actions by id.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.action_ids_mv{cluster} TO {db}.action_ids AS
SELECT reinterpretAsUInt64(reverse(substring(action_id, 1, 8))) AS id8, trace_end_lt, trace8, mc_seqno
FROM {db}.land_actions;
