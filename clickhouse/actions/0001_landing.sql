-- Landing tables of the projection: what src/projections/actions/stored makes, one Native batch each. They keep nothing.
CREATE TABLE IF NOT EXISTS {db}.land_actions{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    trace_end_lt UInt64 COMMENT 'Logical time of the last transaction of the trace.',
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.',
    end_lt UInt64 COMMENT 'Highest logical time of the action.',
    action_id FixedString(32) COMMENT 'Id of the action.',
    trace_id FixedString(32) COMMENT 'Trace of the action: hash of its first transaction.',
    trace_end_utime UInt32 COMMENT 'Time of the last transaction of the trace, Unix seconds.',
    external_hash FixedString(32) COMMENT 'Hash of the message that began the trace; zeros for none.',
    start_lt UInt64 COMMENT 'Lowest logical time of the action.',
    start_utime UInt32 COMMENT 'Time of the first transaction of the action, Unix seconds.',
    end_utime UInt32 COMMENT 'Time of the last transaction of the action, Unix seconds.',
    type String COMMENT 'Type of the action: jetton_transfer, nft_transfer …',
    answered_type String COMMENT 'Type that answers show.',
    ancestor_types String COMMENT 'Types of the actions that contain this one, outermost first.',
    success Bool COMMENT 'True if the action ended well.',
    accounts String COMMENT 'Accounts of the action: workchain (4 bytes, signed, big endian) and id.',
    tx_hashes String COMMENT 'Hashes of the transactions of the action.',
    details String COMMENT 'Details as the API returns them, JSON; empty if the type has no layout.',
    raw_action String COMMENT 'Columns of the classifier, JSON; empty if there are details.'
)
ENGINE = Null
COMMENT 'Actions: what a trace did, as explorers show it.';

CREATE TABLE IF NOT EXISTS {db}.land_action_accounts{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    trace_end_lt UInt64 COMMENT 'Logical time of the last transaction of the trace.',
    trace8 UInt64 COMMENT 'First 8 bytes of trace_id as a number, most significant first.',
    end_lt UInt64 COMMENT 'Highest logical time of the action.',
    action_id FixedString(32) COMMENT 'Id of the action.',
    trace_id FixedString(32) COMMENT 'Trace of the action: hash of its first transaction.',
    trace_end_utime UInt32 COMMENT 'Time of the last transaction of the trace, Unix seconds.',
    end_utime UInt32 COMMENT 'Time of the last transaction of the action, Unix seconds.',
    type String COMMENT 'Type of the action: jetton_transfer, nft_transfer …',
    ancestor_types String COMMENT 'Types of the actions that contain this one, outermost first.'
)
ENGINE = Null
COMMENT 'An account of an action, and what lists of an account are filtered and ordered by.';

CREATE TABLE IF NOT EXISTS {db}.land_action_steps{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    finished UInt32 COMMENT 'Traces that the step completed.',
    actions UInt32 COMMENT 'Actions of these traces.',
    failed UInt32 COMMENT 'Traces that could not be classified.'
)
ENGINE = Null
COMMENT 'What the classifier did in a masterchain step.';

CREATE TABLE IF NOT EXISTS {db}.land_action_problems{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    trace_id FixedString(32) COMMENT 'Hash of the first transaction of the trace.',
    matcher String COMMENT 'Name of the matcher.',
    error String COMMENT 'The error.'
)
ENGINE = Null
COMMENT 'Matchers that failed, and errors that kept traces from being classified.';
