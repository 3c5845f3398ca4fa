/** Columns of the landing tables (clickhouse/traces). Hashes of 32 zero bytes mean "none"; a trace's key is (start_lt, trace8). */
export const TRACE_TABLES = {
  /** A trace after a masterchain step that changed it. */
  traces: {
    mc_seqno: 'UInt32',
    trace_id: 'FixedString(32)',
    /** The first 8 bytes of `trace_id`, big endian. */
    trace8: 'UInt64',
    external_hash: 'FixedString(32)',
    external_hash_norm: 'FixedString(32)',
    state: "Enum8('pending' = 0, 'complete' = 1, 'broken' = 2)",
    mc_seqno_start: 'UInt32',
    start_lt: 'UInt64',
    start_utime: 'UInt32',
    mc_seqno_end: 'UInt32',
    end_lt: 'UInt64',
    end_utime: 'UInt32',
    messages: 'UInt32',
    transactions: 'UInt32',
    pending_messages: 'UInt32',
  },
  /** A transaction in its trace; `depth`: 0 for the first. */
  trace_transactions: {
    mc_seqno: 'UInt32',
    start_lt: 'UInt64',
    trace8: 'UInt64',
    workchain: 'Int32',
    account: 'FixedString(32)',
    lt: 'UInt64',
    depth: 'UInt32',
  },
  /** A message to an account that its step did not deliver; `depth`: of the transaction that receives it. */
  messages_in_flight: {
    mc_seqno: 'UInt32',
    created_lt: 'UInt64',
    hash8: 'UInt64',
    start_lt: 'UInt64',
    trace8: 'UInt64',
    depth: 'UInt32',
  },
  /** How many traces a step began, completed and found broken; a broken one that it completed counts -1. */
  trace_steps: {
    mc_seqno: 'UInt32',
    begun: 'UInt32',
    completed: 'UInt32',
    broken: 'Int32',
  },
} as const;
