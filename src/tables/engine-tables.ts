import { coded, column, defineTable, optional, rising } from './table.ts';
import { buildStored, type Target } from './target.ts';

/* Tables that the engine has in the database of each version. */

/** Time of a row of the engine. */
export const AT = optional('DateTime64(3)', 'now64(3)', 'When the row was written.');

const CONFIRMED = defineTable({
  name: 'confirmed',
  version: 1,
  comment: 'Masterchain ranges whose rows are complete in every table. Answers are bounded by them.',
  key: ['lane', 'first', 'last'],
  columns: {
    first: column('UInt32', 'First masterchain step of the range.'),
    last: column('UInt32', 'Last masterchain step of the range.'),
    epoch: column('UInt32', 'Epoch of the range.'),
    lane: column('UInt16', 'Lane of the log; the partition of a projection in chain order.'),
    at: AT,
  },
});

/** Confirmed ranges of lanes. */
export const CONFIRMED_RANGES = buildStored(CONFIRMED, {
  engine: 'ReplacingMergeTree(at)',
  orderBy: ['first', 'last'],
});

/** Confirmed ranges of partitions. Each partition confirms its own. */
export const CONFIRMED_PARTS = { ...CONFIRMED_RANGES, orderBy: ['lane', 'first', 'last'] };

const CORRECTIONS = defineTable({
  name: 'corrections',
  version: 1,
  comment: 'Corrections of traces, a row for each detected token. A later state replaces an earlier one.',
  key: ['mc_seqno', 'trace_id', 'account', 'workchain'],
  columns: {
    mc_seqno: rising('UInt32', 'Masterchain step that completed the trace.'),
    trace_id: coded('FixedString(32)', 'LZ4', 'Hash of the first transaction of the trace.'),
    account: coded('FixedString(32)', 'LZ4', 'Account id of the token.'),
    workchain: coded('Int32', 'ZSTD(1)', 'Workchain of the token.'),
    state: coded('UInt8', 'ZSTD(1)', '0 begun, 1 nothing changed, 2 corrected.'),
  },
});

/** Corrections that a projection applied. Nothing that is inserted writes them, so a repair has nothing to derive. */
export const CORRECTION_TARGET = buildStored(CORRECTIONS, {
  engine: 'ReplacingMergeTree(state)',
  orderBy: ['mc_seqno', 'trace_id', 'account', 'workchain'],
  settings: { index_granularity: 1024 },
  shard: 'mc_seqno',
});

export const CORRECTION_ROWS = { table: 'corrections', shard: 'mc_seqno', repair: { sql: '' } } as const;

const STEP = rising('UInt32', 'Masterchain step of the rows.');
const PART = { type: 'UInt16', comment: 'Partition of the projection.' } as const;
const ROWS = 'Rows by table, as they were counted before they were inserted.';

/** How many rows each table must have for a step. */
export const STEP_ROWS = defineTable({
  name: 'step_rows',
  version: 1,
  comment: 'How many rows each table must have for a masterchain step: missing rows are found by it.',
  key: ['mc_seqno'],
  columns: { mc_seqno: STEP, rows: column('Map(String, UInt64)', ROWS) },
});

/** The same for a step and a partition. */
export const PART_STEP_ROWS = defineTable({
  ...STEP_ROWS,
  key: ['mc_seqno', 'part'],
  columns: { mc_seqno: STEP, part: PART, rows: STEP_ROWS.columns.rows },
});

/** Versions are not compared by these rows: they have no key. */
function stepRows(
  table: typeof STEP_ROWS | typeof PART_STEP_ROWS,
  settings: Readonly<Record<string, number>>,
): Target {
  const { columns, key: _, ...rest } = buildStored(table, { orderBy: table.key });
  return {
    ...rest,
    source: 'land_step_rows',
    columns: columns.map((one) =>
      one.name === 'rows' ? { ...one, type: 'Map(LowCardinality(String), UInt64)', codec: 'ZSTD(1)' } : one,
    ),
    without: [],
    settings,
    shard: 'mc_seqno',
  };
}

export const STEP_ROW_TARGET = stepRows(STEP_ROWS, { index_granularity: 1024, merge_selector_base: 20 });
export const PART_STEP_ROW_TARGET = stepRows(PART_STEP_ROWS, { index_granularity: 1024 });
