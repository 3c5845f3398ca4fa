-- Landing table of the projection: what src/projections/activity makes, one Native batch each. It keeps nothing.
CREATE TABLE IF NOT EXISTS {db}.land_activity{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    workchain Int32,
    account FixedString(32),
    first_utime UInt32,
    first_lt UInt64,
    last_utime UInt32,
    last_lt UInt64,
    transactions UInt64,
    aborted UInt64,
    messages_in UInt64,
    messages_out UInt64,
    fees UInt128
)
ENGINE = Null;
