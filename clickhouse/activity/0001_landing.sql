-- Landing table of the projection: what src/projections/activity makes, one Native batch each. It keeps nothing.
CREATE TABLE IF NOT EXISTS {db}.land_activity{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    first_utime UInt32 COMMENT 'Time of the first transaction, Unix seconds.',
    first_lt UInt64 COMMENT 'Logical time of the first transaction.',
    last_utime UInt32 COMMENT 'Time of the last transaction, Unix seconds.',
    last_lt UInt64 COMMENT 'Logical time of the last transaction.',
    is_new Bool COMMENT 'The account had no transaction before this step.',
    new_hours String COMMENT 'Hours since 1970 in which the step has the first transaction of the account in the hour; u32, little endian.',
    new_days String COMMENT 'Days since 1970 in which the step has the first transaction of the account on the day; u32, little endian.',
    transactions UInt64 COMMENT 'Transactions.',
    aborted UInt64 COMMENT 'Aborted transactions.',
    messages_in UInt64 COMMENT 'Received messages.',
    messages_out UInt64 COMMENT 'Sent messages.',
    fees UInt128 COMMENT 'Paid fees, nanotons.'
)
ENGINE = Null
COMMENT 'What an account did up to a masterchain step that has transactions of it.';
