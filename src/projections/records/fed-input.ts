import type {
  HistorySize,
  StoreDatabase,
  StoredInput,
  StoredStep,
} from '../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../engine/ranges/position-ranges.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';

/** Bytes of a step's record without its items, about: windows of a replay are cut by them. */
const STEP_BYTES = 32;

/** A topic that a projection feeds, and the tables from which its records are made again. */
export interface FedSource extends Pick<StoredInput, 'projection' | 'records'> {
  /** Statement for the steps of a range that have items: `mc_seqno`, and their number as text. */
  readonly items: (database: string, range: PositionRange) => string;
  /** Bytes of an item in a record, about. */
  readonly itemBytes: number;
  /** True if a record of the step may have this key. */
  readonly isKey: (key: string, position: number) => boolean;
}

/**
 * A fed topic as the tables of its projection keep it: records are made again from rows, so a replay needs no log. The rows
 * are measured and repaired, so nothing else needs a restore. Each confirmed step has a record, one without items too.
 */
export function fedInput({ projection, records, items, itemBytes, isKey }: FedSource): StoredInput {
  const route = `replay/${projection}-steps`;

  async function steps(
    { client, database }: StoreDatabase,
    range: PositionRange,
  ): Promise<readonly StoredStep[]> {
    const { rows } = await client.queryRows<[number, string]>(items(database, range), {
      route,
      ...RANGE_QUERY,
    });
    const counts = new Map(rows.map(([position, count]) => [position, Number(count)]));
    return Array.from({ length: range.last - range.first + 1 }, (_, i) => {
      const transactions = counts.get(range.first + i) ?? 0;
      return { position: range.first + i, bytes: STEP_BYTES + transactions * itemBytes, transactions };
    });
  }

  /** The highest confirmed step of a range; -1 if there is none. */
  async function highest(
    { client, database }: StoreDatabase,
    { first, last }: PositionRange,
  ): Promise<number> {
    const { rows } = await client.queryRows<[number]>(
      `SELECT toInt64(max(least(last, ${last}))) FROM ${database}.confirmed
     WHERE first <= ${last} AND last >= ${first} HAVING count() > 0`,
      { route },
    );
    return rows[0] ? Number(rows[0][0]) : -1;
  }

  return {
    projection,
    isFed: true,
    landings: [],
    steps,
    readStoredSteps: steps,
    size: async (store, ranges) =>
      getSize((await Promise.all(ranges.map((one) => steps(store, one)))).flat()),
    records,
    has: async (store, key, position) =>
      isKey(key, position) && (await highest(store, { first: position, last: position })) === position,
    hashes: async () => new Map(),
    highest,
    rootHash: async () => null,
    startStates: async () => [],
    lost: async () => [],
    refill: async () => 0,
    missing: async () => ({ blocks: 0, first: null }),
    restore: async () => 0,
  };
}

function getSize(steps: readonly StoredStep[]): HistorySize {
  const sum = (of: (step: StoredStep) => number) => steps.reduce((total, step) => total + of(step), 0);
  return {
    blocks: steps.length,
    transactions: sum(({ transactions }) => transactions),
    bytes: sum(({ bytes }) => bytes),
  };
}
