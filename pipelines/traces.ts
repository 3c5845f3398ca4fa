import type { TableProjection } from '../src/engine/projection/projection.ts';
import { traceFigures } from '../src/projections/traces/trace-figures.ts';
import { tracesChecks } from '../src/projections/traces/traces-checks.ts';
import { TRACES_CODE } from '../src/projections/traces/traces-code.ts';
import { TracesMaker } from '../src/projections/traces/traces-rows.ts';
import { PART_STEP_ROW_TARGET, PART_STEP_ROWS } from '../src/tables/engine-tables.ts';
import { landing } from '../src/tables/target.ts';
import {
  IN_FLIGHT_TARGET,
  MESSAGES_IN_FLIGHT,
  TRACE_STEP_TARGET,
  TRACE_STEPS,
  TRACE_TARGETS,
  TRACE_TRANSACTION_TARGETS,
  TRACE_TRANSACTIONS,
  TRACES as TRACES_TABLE,
} from '../src/tables/traces.ts';
import { FINISHED_TRACES, TRACE_INPUT } from './finished-traces.ts';
import { BLOCK_INPUT, RAW_BLOCKS } from './raw-blocks.ts';

/**
 * Which transactions follow from which: messages join them into traces, across shards and blocks. State is carried in
 * the order of the chain.
 *
 *   raw-blocks ─▶ traces ─▶ land_<table> (Null) ─▶ traces, trace_transactions, messages_in_flight … ─▶ log: traces
 */
export const TRACES: TableProjection = {
  name: 'traces',
  version: TRACES_TABLE.version,
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
      landing(TRACES_TABLE, TRACE_TARGETS),
      landing(TRACE_TRANSACTIONS, TRACE_TRANSACTION_TARGETS),
      landing(MESSAGES_IN_FLIGHT, [IN_FLIGHT_TARGET]),
      landing(TRACE_STEPS, [TRACE_STEP_TARGET]),
      landing(PART_STEP_ROWS, [PART_STEP_ROW_TARGET]),
    ],
    derived: [],
  },
};
