import type { TableProjection } from '../src/engine/projection/projection.ts';
import { STEP_ROWS } from '../src/engine/sink/step-rows.ts';
import { traceFigures } from '../src/projections/traces/trace-figures.ts';
import { tracesChecks } from '../src/projections/traces/traces-checks.ts';
import { TRACES_CODE } from '../src/projections/traces/traces-code.ts';
import { TracesMaker } from '../src/projections/traces/traces-rows.ts';
import { FINISHED_TRACES, TRACE_INPUT } from './finished-traces.ts';
import { BLOCK_INPUT, RAW_BLOCKS } from './raw-blocks.ts';

/** Everything of a trace on one shard. */
const TRACE = 'trace8';

/**
 * Which transactions follow from which: messages join them into traces, across shards and blocks. State is carried in
 * the order of the chain.
 *
 *   raw-blocks ─▶ traces ─▶ land_<table> (Null) ─▶ traces, trace_transactions, messages_in_flight … ─▶ log: traces
 */
export const TRACES: TableProjection = {
  name: 'traces',
  version: 2,
  reads: RAW_BLOCKS,
  group: 'traces',
  decoder: TRACES_CODE,
  order: { partitions: 1 },
  begin: (at) => new TracesMaker(at),
  input: BLOCK_INPUT,
  feeds: { topic: FINISHED_TRACES, records: TRACE_INPUT.records },
  checks: tracesChecks,
  figures: traceFigures,
  sink: {
    landings: [
      {
        landing: 'traces',
        counted: [
          { table: 'traces', shard: TRACE, key: ['trace_id', 'mc_seqno'] },
          { table: 'traces_by_end', shard: TRACE },
        ],
      },
      {
        landing: 'trace_transactions',
        counted: [
          { table: 'trace_transactions', shard: TRACE, key: ['workchain', 'account', 'lt'] },
          { table: 'transaction_traces', shard: 'cityHash64(account)' },
        ],
      },
      {
        landing: 'messages_in_flight',
        counted: [{ table: 'messages_in_flight', shard: 'hash8', key: ['created_lt', 'hash8'] }],
      },
      { landing: 'trace_steps', counted: [{ table: 'trace_steps', shard: 'mc_seqno', key: ['mc_seqno'] }] },
      { landing: STEP_ROWS, counted: [{ table: STEP_ROWS, shard: 'mc_seqno' }] },
    ],
    derived: [],
  },
};
