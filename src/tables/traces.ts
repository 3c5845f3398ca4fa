import { HASH } from './base-types.ts';
import { STEP } from './contract-types.ts';
import { coded, column, columnTypes, defineTable, rising, type Table } from './table.ts';
import { ONE_PART, pickAll, type Target } from './target.ts';

const version = 2;
const START = 'Logical time of the first transaction of the trace.';
const trace8 = coded('UInt64', 'LZ4', 'First 8 bytes of trace_id as a number, most significant first.');

export const TRACES = defineTable({
  name: 'traces',
  version,
  comment: 'A trace after a masterchain step that changed it. Its key is (start_lt, trace8).',
  key: ['trace_id', 'mc_seqno'],
  columns: {
    mc_seqno: rising('UInt32', STEP),
    trace_id: column(HASH, 'Hash of the first transaction.'),
    trace8,
    external_hash: column(HASH, 'Hash of the message that began the trace; zeros for none.'),
    external_hash_norm: column(HASH, 'Normalised hash of that message; zeros for none.'),
    state: column(
      "Enum8('pending' = 0, 'complete' = 1, 'broken' = 2)",
      'Whether messages of the trace are on their way. A broken trace waits for too long.',
    ),
    mc_seqno_start: rising('UInt32', 'Masterchain step of the first transaction.'),
    start_lt: rising('UInt64', START),
    start_utime: rising('UInt32', 'Time of the first transaction, Unix seconds.'),
    mc_seqno_end: rising('UInt32', 'Masterchain step of the last transaction.'),
    end_lt: rising('UInt64', 'Logical time of the last transaction.'),
    end_utime: rising('UInt32', 'Time of the last transaction, Unix seconds.'),
    messages: column('UInt32', 'Messages of the trace.'),
    transactions: column('UInt32', 'Transactions of the trace.'),
    pending_messages: column('UInt32', 'Messages that no transaction has received yet.'),
  },
});

export const TRACE_TRANSACTIONS = defineTable({
  name: 'trace_transactions',
  version,
  comment: 'A transaction in its trace.',
  key: ['workchain', 'account', 'lt'],
  columns: {
    mc_seqno: rising('UInt32', STEP),
    start_lt: rising('UInt64', START),
    trace8,
    workchain: column('Int32', 'Workchain of the account.'),
    account: column(HASH, 'Id of the account in its workchain.'),
    lt: rising('UInt64', 'Logical time of the transaction.'),
    depth: column('UInt32', 'Messages between the first transaction and this one.'),
  },
});

export const MESSAGES_IN_FLIGHT = defineTable({
  name: 'messages_in_flight',
  version,
  comment: 'A message to an account that its step did not deliver.',
  key: ['created_lt', 'hash8'],
  columns: {
    mc_seqno: rising('UInt32', STEP),
    created_lt: rising('UInt64', 'Logical time of the message.'),
    hash8: coded('UInt64', 'LZ4', 'First 8 bytes of its hash as a number, most significant first.'),
    start_lt: rising('UInt64', START),
    trace8,
    depth: column('UInt32', 'Depth of the transaction that receives it.'),
  },
});

export const TRACE_STEPS = defineTable({
  name: 'trace_steps',
  version,
  comment: 'How many traces a masterchain step began and ended.',
  key: ['mc_seqno'],
  columns: {
    mc_seqno: rising('UInt32', STEP),
    begun: column('UInt32', 'Traces that began.'),
    completed: column('UInt32', 'Traces that are complete.'),
    broken: column('Int32', 'Traces found broken; -1 for one that was, and is complete now.'),
  },
});

/** Landing tables, by name. */
export const TRACE_TABLES = {
  traces: columnTypes(TRACES),
  trace_transactions: columnTypes(TRACE_TRANSACTIONS),
  messages_in_flight: columnTypes(MESSAGES_IN_FLIGHT),
  trace_steps: columnTypes(TRACE_STEPS),
} as const;

type Layout = Pick<Target, 'name' | 'orderBy'> & Partial<Target>;

/** A target of a table, with everything of a trace on one shard. */
function target(table: Table, names: readonly string[], layout: Layout): Target {
  return {
    comment: table.comment,
    source: `land_${table.name}`,
    columns: [...pickAll(table, [...names]), ONE_PART],
    settings: { index_granularity: 1024 },
    shard: 'trace8',
    ...layout,
  };
}

/** What answers show of a trace. Its names are first. */
const TRACE_VALUE = [
  ...['trace_id', 'external_hash', 'start_lt', 'trace8', 'state', 'mc_seqno_start', 'start_utime'],
  ...['mc_seqno_end', 'end_lt', 'end_utime', 'messages', 'transactions', 'pending_messages'],
];

export const TRACE_TARGETS: readonly Target[] = [
  target(TRACES, Object.keys(TRACES.columns), {
    name: 'traces',
    without: [],
    skips: { by_mc_seqno: ['mc_seqno', 1] },
    orderBy: ['start_lt', 'trace8', 'mc_seqno'],
    key: TRACES.key,
    lookUps: [
      {
        name: 'trace_by_place',
        key: ['start_lt', 'trace8', { falling: 'mc_seqno' }],
        value: TRACE_VALUE,
      },
    ],
  }),
  target(TRACES, ['end_lt', 'trace8', 'start_lt', 'end_utime', 'mc_seqno'], {
    name: 'traces_by_end',
    comment: 'The same rows by the end of the trace.',
    skips: { by_end_utime: ['end_utime', 1] },
    orderBy: ['end_lt', 'trace8', 'mc_seqno'],
    lookUps: [{ name: 'trace_by_end', key: ['end_lt', 'trace8', 'mc_seqno'], value: ['start_lt'] }],
  }),
];

export const TRACE_TRANSACTION_TARGETS: readonly Target[] = [
  target(TRACE_TRANSACTIONS, ['start_lt', 'trace8', 'lt', 'account', 'workchain', 'depth', 'mc_seqno'], {
    name: 'trace_transactions',
    skips: { by_mc_seqno: ['mc_seqno', 1] },
    orderBy: ['start_lt', 'trace8', 'lt', 'account'],
    key: TRACE_TRANSACTIONS.key,
    lookUps: [
      {
        name: 'transactions_of_trace',
        key: ['start_lt', 'trace8', 'lt', 'account', 'workchain'],
        value: [],
      },
    ],
  }),
  target(TRACE_TRANSACTIONS, ['account', 'workchain', 'lt', 'start_lt', 'trace8', 'mc_seqno'], {
    name: 'transaction_traces',
    comment: 'The trace of a transaction.',
    orderBy: ['account', 'workchain', 'lt'],
    shard: 'cityHash64(account)',
    lookUps: [
      {
        name: 'trace_by_transaction',
        key: ['account', 'workchain', 'lt'],
        value: ['start_lt', 'trace8'],
      },
    ],
  }),
];

export const IN_FLIGHT_TARGET = target(
  MESSAGES_IN_FLIGHT,
  ['created_lt', 'hash8', 'start_lt', 'trace8', 'depth', 'mc_seqno'],
  {
    name: 'messages_in_flight',
    orderBy: ['created_lt', 'hash8'],
    shard: 'hash8',
    key: MESSAGES_IN_FLIGHT.key,
  },
);

export const TRACE_STEP_TARGET = target(TRACE_STEPS, ['mc_seqno', 'begun', 'completed', 'broken'], {
  name: 'trace_steps',
  orderBy: ['mc_seqno'],
  settings: { index_granularity: 8192 },
  shard: 'mc_seqno',
  key: TRACE_STEPS.key,
});
