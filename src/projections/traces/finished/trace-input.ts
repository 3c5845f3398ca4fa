import type {
  HistorySize,
  StoreDatabase,
  StoredInput,
  StoredStep,
} from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { finishedRecords } from './finished-records.ts';

/** Bytes of a step's record and of each transaction in it, about: windows of a replay are cut by them. */
const STEP_BYTES = 32;
const TRANSACTION_BYTES = 50;

/**
 * The log `traces` as the projection's tables keep it: records are rebuilt from rows, byte for byte. The rows are
 * measured and repaired, so nothing else needs a restore.
 */
export const TRACE_INPUT: StoredInput = {
  projection: 'traces',
  isFed: true,
  landings: [],
  steps: readSteps,
  readStoredSteps: readSteps,
  size: async (store, ranges) =>
    getSize((await Promise.all(ranges.map((one) => readSteps(store, one)))).flat()),
  records: finishedRecords,
  has: async (store, key, position) =>
    key === String(position) && (await highest(store, { first: position, last: position })) === position,
  hashes: async () => new Map(),
  highest,
  rootHash: async () => null,
  startStates: async () => [],
  lost: async () => [],
  refill: async () => 0,
  missing: async () => ({ blocks: 0, first: null }),
  restore: async () => 0,
};

/** Each step of a range has a record, one that finished nothing too. */
async function readSteps(
  { client, database }: StoreDatabase,
  { first, last }: PositionRange,
): Promise<readonly StoredStep[]> {
  const { rows } = await client.queryRows<[number, string]>(
    `SELECT mc_seqno, toString(sum(transactions)) FROM ${database}.traces
     WHERE mc_seqno BETWEEN ${first} AND ${last} AND state = 'complete' GROUP BY mc_seqno`,
    { route: 'replay/trace-steps', ...RANGE_QUERY },
  );
  const counts = new Map(rows.map(([position, transactions]) => [position, Number(transactions)]));
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const transactions = counts.get(first + i) ?? 0;
    return { position: first + i, bytes: STEP_BYTES + transactions * TRANSACTION_BYTES, transactions };
  });
}

function getSize(steps: readonly StoredStep[]): HistorySize {
  const sum = (of: (step: StoredStep) => number) => steps.reduce((total, step) => total + of(step), 0);
  return {
    blocks: steps.length,
    transactions: sum(({ transactions }) => transactions),
    bytes: sum(({ bytes }) => bytes),
  };
}

/** The highest confirmed step of a range; -1 where none is. */
async function highest({ client, database }: StoreDatabase, { first, last }: PositionRange): Promise<number> {
  const { rows } = await client.queryRows<[number]>(
    `SELECT toInt64(max(least(last, ${last}))) FROM ${database}.confirmed
     WHERE first <= ${last} AND last >= ${first} HAVING count() > 0`,
    { route: 'replay/trace-steps' },
  );
  return rows[0] ? Number(rows[0][0]) : -1;
}
