-- Landing tables of the projection: what src/projections/traces makes, one Native batch each. They keep nothing.
CREATE TABLE IF NOT EXISTS {db}.land_traces{cluster}
(
    mc_seqno UInt32,
    trace_id FixedString(32),
    trace8 UInt64,
    external_hash FixedString(32),
    external_hash_norm FixedString(32),
    state Enum8('pending' = 0, 'complete' = 1, 'broken' = 2),
    mc_seqno_start UInt32,
    start_lt UInt64,
    start_utime UInt32,
    mc_seqno_end UInt32,
    end_lt UInt64,
    end_utime UInt32,
    messages UInt32,
    transactions UInt32,
    pending_messages UInt32
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_trace_transactions{cluster}
(
    mc_seqno UInt32,
    start_lt UInt64,
    trace8 UInt64,
    workchain Int32,
    account FixedString(32),
    lt UInt64,
    depth UInt32
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_messages_in_flight{cluster}
(
    mc_seqno UInt32,
    created_lt UInt64,
    hash8 UInt64,
    start_lt UInt64,
    trace8 UInt64,
    depth UInt32
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_trace_steps{cluster}
(
    mc_seqno UInt32,
    begun UInt32,
    completed UInt32,
    broken Int32
)
ENGINE = Null;
