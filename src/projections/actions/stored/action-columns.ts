/** Columns of the landing tables (clickhouse/actions). A hash of 32 zero bytes means "none"; times are Unix seconds. */
export const ACTION_TABLES = {
  /** An action of a trace. Its key is (trace_end_lt, trace8, end_lt, action_id). */
  actions: {
    /** The step that completed the trace. */
    mc_seqno: 'UInt32',
    trace_end_lt: 'UInt64',
    /** The first 8 bytes of `trace_id`, big endian. */
    trace8: 'UInt64',
    end_lt: 'UInt64',
    action_id: 'FixedString(32)',
    trace_id: 'FixedString(32)',
    trace_end_utime: 'UInt32',
    external_hash: 'FixedString(32)',
    start_lt: 'UInt64',
    start_utime: 'UInt32',
    end_utime: 'UInt32',
    type: 'String',
    answered_type: 'String',
    /** Types of the actions that it is folded into, outermost first, with commas. */
    ancestor_types: 'String',
    success: 'Bool',
    /** 36 bytes each: workchain (signed, big endian) and id. */
    accounts: 'String',
    /** 32 bytes each. */
    tx_hashes: 'String',
    /** JSON; empty if the type has no layout. */
    details: 'String',
    /** JSON of the columns of v3-actions-rules.md 1; empty where `details` is not. */
    raw_action: 'String',
  },
  /** An account of an action, and what lists of an account are filtered and ordered by. */
  action_accounts: {
    mc_seqno: 'UInt32',
    workchain: 'Int32',
    account: 'FixedString(32)',
    trace_end_lt: 'UInt64',
    trace8: 'UInt64',
    end_lt: 'UInt64',
    action_id: 'FixedString(32)',
    trace_id: 'FixedString(32)',
    trace_end_utime: 'UInt32',
    end_utime: 'UInt32',
    type: 'String',
    ancestor_types: 'String',
  },
  /** How many traces a step finished, how many actions they have, and how many could not be classified as a whole. */
  action_steps: {
    mc_seqno: 'UInt32',
    finished: 'UInt32',
    actions: 'UInt32',
    failed: 'UInt32',
  },
  /** A token without an outcome of `detections` when its trace was classified. */
  undetected_tokens: {
    mc_seqno: 'UInt32',
    trace_id: 'FixedString(32)',
    workchain: 'Int32',
    account: 'FixedString(32)',
    /** Last transaction of the token up to the step. */
    lt: 'UInt64',
  },
  /** A matcher that failed for a reason of its own, or what kept a trace from being classified at all. */
  action_problems: {
    mc_seqno: 'UInt32',
    trace_id: 'FixedString(32)',
    matcher: 'String',
    error: 'String',
  },
} as const;
