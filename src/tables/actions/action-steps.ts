import { HASH } from '../base-types.ts';
import { STEP } from '../contract-types.ts';
import { AT, CORRECTION_TARGET } from '../engine-tables.ts';
import { column, columnTypes, defineTable, rising, type Table } from '../table.ts';
import { ONE_PART, pickAll, type Target } from '../target.ts';
import { ACTIONS_CODE_VERSION } from './actions.ts';

const version = ACTIONS_CODE_VERSION;
const step = rising('UInt32', STEP);
const traceId = column(HASH, 'Hash of the first transaction of the trace.');

export const ACTION_STEPS = defineTable({
  name: 'action_steps',
  version,
  comment: 'What the classifier did in a masterchain step.',
  key: ['mc_seqno'],
  columns: {
    mc_seqno: step,
    finished: column('UInt32', 'Traces that the step completed.'),
    actions: column('UInt32', 'Actions of these traces.'),
    failed: column('UInt32', 'Traces that could not be classified.'),
  },
});

export const UNDETECTED_TOKENS = defineTable({
  name: 'undetected_tokens',
  version,
  comment:
    'Tokens that were not detected when their trace was classified. A later detection corrects the trace.',
  key: ['account', 'workchain', 'mc_seqno', 'trace_id'],
  columns: {
    mc_seqno: step,
    trace_id: traceId,
    workchain: column('Int32', 'Workchain of the token.'),
    account: column(HASH, 'Account id of the token.'),
    lt: rising('UInt64', 'Logical time of the last transaction of the token up to the step.'),
  },
});

export const ACTION_PROBLEMS = defineTable({
  name: 'action_problems',
  version,
  comment: 'Matchers that failed, and errors that kept traces from being classified.',
  key: ['mc_seqno', 'trace_id', 'matcher'],
  columns: {
    mc_seqno: step,
    trace_id: traceId,
    matcher: column('String', 'Name of the matcher.'),
    error: column('String', 'The error.'),
  },
});

export const ACTION_STEP_TYPES = columnTypes(ACTION_STEPS);
export const UNDETECTED_TYPES = columnTypes(UNDETECTED_TOKENS);
export const PROBLEM_TYPES = columnTypes(ACTION_PROBLEMS);

function target(table: Table, layout: Omit<Target, 'name' | 'comment' | 'source' | 'columns'>): Target {
  return {
    name: table.name,
    comment: table.comment,
    source: `land_${table.name}`,
    columns: [...pickAll(table), ONE_PART],
    ...layout,
  };
}

const LARGE = { index_granularity: 8192 };

export const ACTION_STEP_TARGET = target(ACTION_STEPS, {
  orderBy: ['mc_seqno'],
  settings: LARGE,
  shard: 'mc_seqno',
  key: ACTION_STEPS.key,
});

export const UNDETECTED_TARGET: Target = {
  ...target(UNDETECTED_TOKENS, {
    orderBy: UNDETECTED_TOKENS.key,
    settings: { index_granularity: 1024 },
    shard: 'cityHash64(account)',
  }),
  columns: [...pickAll(UNDETECTED_TOKENS, [...UNDETECTED_TOKENS.key, 'lt']), ONE_PART],
  skips: { by_mc_seqno: ['mc_seqno', 1] },
};

const problems = target(ACTION_PROBLEMS, {
  orderBy: ['mc_seqno', 'trace_id'],
  settings: LARGE,
  shard: 'mc_seqno',
  key: ACTION_PROBLEMS.key,
});
export const PROBLEM_TARGET: Target = {
  ...problems,
  columns: problems.columns.map((one) =>
    one.name === 'matcher' ? { ...one, type: 'LowCardinality(String)' } : one,
  ),
};

/** Corrections of actions. Streams and webhooks send corrected traces in the order in which the rows were written. */
export const ACTION_CORRECTION_TARGET: Target = {
  ...CORRECTION_TARGET,
  columns: [
    ...CORRECTION_TARGET.columns,
    { name: 'at', ...AT, fallback: 'now64(3)', codec: 'Delta, ZSTD(1)' },
  ],
  skips: { by_at: ['at', 1] },
};
