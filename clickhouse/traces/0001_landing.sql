-- Landing tables of the projection: what src/projections/traces makes, one Native batch each. They keep nothing.
CREATE TABLE IF NOT EXISTS {db}.land_traces{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    trace_id FixedString(32) COMMENT 'Hash of the first transaction.',
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.',
    external_hash FixedString(32) COMMENT 'Hash of the message that began the trace; zeros for none.',
    external_hash_norm FixedString(32) COMMENT 'Normalised hash of that message; zeros for none.',
    state Enum8('pending' = 0, 'complete' = 1, 'broken' = 2) COMMENT 'Whether messages of the trace are on their way. A broken trace waits for too long.',
    mc_seqno_start UInt32 COMMENT 'Masterchain step of the first transaction.',
    start_lt UInt64 COMMENT 'Logical time of the first transaction of the trace.',
    start_utime UInt32 COMMENT 'Time of the first transaction, Unix seconds.',
    mc_seqno_end UInt32 COMMENT 'Masterchain step of the last transaction.',
    end_lt UInt64 COMMENT 'Logical time of the last transaction.',
    end_utime UInt32 COMMENT 'Time of the last transaction, Unix seconds.',
    messages UInt32 COMMENT 'Messages of the trace.',
    transactions UInt32 COMMENT 'Transactions of the trace.',
    pending_messages UInt32 COMMENT 'Messages that no transaction has received yet.'
)
ENGINE = Null
COMMENT 'A trace after a masterchain step that changed it. Its key is (start_lt, trace8).';

CREATE TABLE IF NOT EXISTS {db}.land_trace_transactions{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    start_lt UInt64 COMMENT 'Logical time of the first transaction of the trace.',
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    lt UInt64 COMMENT 'Logical time of the transaction.',
    depth UInt32 COMMENT 'Messages between the first transaction and this one.'
)
ENGINE = Null
COMMENT 'A transaction in its trace.';

CREATE TABLE IF NOT EXISTS {db}.land_messages_in_flight{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    created_lt UInt64 COMMENT 'Logical time of the message.',
    hash8 UInt64 COMMENT 'First 8 bytes of its hash as a number, most significant first.',
    start_lt UInt64 COMMENT 'Logical time of the first transaction of the trace.',
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.',
    depth UInt32 COMMENT 'Depth of the transaction that receives it.'
)
ENGINE = Null
COMMENT 'A message to an account that its step did not deliver.';

CREATE TABLE IF NOT EXISTS {db}.land_trace_steps{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    begun UInt32 COMMENT 'Traces that began.',
    completed UInt32 COMMENT 'Traces that are complete.',
    broken Int32 COMMENT 'Traces found broken; -1 for one that was, and is complete now.'
)
ENGINE = Null
COMMENT 'How many traces a masterchain step began and ended.';
