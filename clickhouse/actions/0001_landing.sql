-- Landing tables of the projection: what src/projections/actions/stored makes, one Native batch each. They keep nothing.
CREATE TABLE IF NOT EXISTS {db}.land_actions{cluster}
(
    mc_seqno UInt32,
    trace_end_lt UInt64,
    trace8 UInt64,
    end_lt UInt64,
    action_id FixedString(32),
    trace_id FixedString(32),
    trace_end_utime UInt32,
    external_hash FixedString(32),
    start_lt UInt64,
    start_utime UInt32,
    end_utime UInt32,
    type String,
    answered_type String,
    ancestor_types String,
    success Bool,
    accounts String,
    tx_hashes String,
    details String,
    raw_action String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_action_accounts{cluster}
(
    mc_seqno UInt32,
    workchain Int32,
    account FixedString(32),
    trace_end_lt UInt64,
    trace8 UInt64,
    end_lt UInt64,
    action_id FixedString(32),
    trace_id FixedString(32),
    trace_end_utime UInt32,
    end_utime UInt32,
    type String,
    ancestor_types String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_action_steps{cluster}
(
    mc_seqno UInt32,
    finished UInt32,
    actions UInt32,
    failed UInt32
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_action_problems{cluster}
(
    mc_seqno UInt32,
    trace_id FixedString(32),
    matcher String,
    error String
)
ENGINE = Null;
