import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ACTIVITY } from '../../pipelines/activity.ts';
import { runSession, type Session } from '../../src/cli/session.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import { BALANCE_DAYS, BALANCES_BY_TIME } from '../../src/tables/account-targets.ts';
import { ALL_TABLES } from '../../src/tables/all-tables.ts';
import { ALL_SUMS } from '../../src/tables/sums/all-sums.ts';
import { WALLET_BALANCES, WALLET_DAYS } from '../../src/tables/token-states.ts';
import { BenchError } from '../common/bench-error.ts';
import {
  BLOCK_PROJECTIONS,
  countTransactions,
  type LocalIndex,
  measureProjections,
  openLocalIndex,
} from '../common/local-index.ts';
import { type BenchOptions, benchDirectory } from '../common/options.ts';
import { note, quantile, round } from '../common/report.ts';

/** What aggregates cost the store. */
export interface AggregateFigures {
  readonly transactions: number;
  /** Median of the rounds, µs a transaction. */
  readonly store_cpu_us: number;
  readonly store_cpu_us_without: number;
  readonly ratio: number;
}

/** µs of the store a transaction, of each round. */
interface Rounds {
  readonly with: number[];
  readonly without: number[];
}

export function toFigures(transactions: number, rounds: Rounds): AggregateFigures {
  const median = (times: number[]) =>
    quantile(
      times.sort((a, b) => a - b),
      0.5,
    );
  const [own, without] = [median(rounds.with), median(rounds.without)];
  return {
    transactions,
    store_cpu_us: round(own, 1),
    store_cpu_us_without: round(without, 1),
    ratio: round(own / without),
  };
}

/** Tables that only analysts read. The projection `activity` exists for two of them. */
const AGGREGATES: ReadonlySet<string> = new Set(
  [...ALL_SUMS, BALANCES_BY_TIME, BALANCE_DAYS, WALLET_BALANCES, WALLET_DAYS].map(({ name }) => name),
);
const ROUNDS = 3;
/** Transactions of a masterchain step: a busy head. */
const PER_STEP = 200;

/**
 * Indexes a chain of mixed traffic with every projection, and with every projection but `activity` without the views of
 * aggregates.
 */
export async function measureAllAggregates(options: BenchOptions): Promise<AggregateFigures> {
  const directory = benchDirectory(options);
  try {
    const packs = join(directory.path, 'packs');
    const { transactions: wanted } = options;
    note(`${wanted} transactions in the TVM`);
    await generatePacks({
      directory: packs,
      transactions: wanted,
      seed: 'aggregates',
      shards: 1,
      perStep: PER_STEP,
    });
    const found: Rounds = { with: [], without: [] };
    let transactions = 0;
    for (let run = 0; run < ROUNDS; run++)
      for (const kind of ['with', 'without'] as const) {
        const data = join(directory.path, `${kind}${run}`);
        const figures = await runSession({ logLevel: 'warn' }, async (session) =>
          indexOnce(await openLocalIndex(data, packs, session), kind, session),
        );
        transactions = figures.transactions;
        found[kind].push(figures.cpuMicroseconds);
        note(`${kind} aggregates: ${figures.cpuMicroseconds.toFixed(1)} µs a transaction`);
        rmSync(data, { recursive: true, force: true });
      }
    return toFigures(transactions, found);
  } finally {
    directory.leave();
  }
}

async function indexOnce(index: LocalIndex, kind: keyof Rounds, session: Session) {
  const projections = BLOCK_PROJECTIONS.filter(({ name }) => kind === 'with' || name !== ACTIVITY.name);
  await prepareStore(index.store.client, index.identity, projections);
  if (kind === 'without') await dropAggregates(index, projections);
  const { storeCpuSeconds } = await measureProjections(index, projections, session);
  if (storeCpuSeconds === null) throw new BenchError('this system does not report CPU time');
  const transactions = await countTransactions(index);
  return { transactions, cpuMicroseconds: (storeCpuSeconds * 1e6) / transactions };
}

async function dropAggregates(
  { store, identity }: LocalIndex,
  projections: typeof BLOCK_PROJECTIONS,
): Promise<void> {
  for (const projection of projections)
    for (const { name } of ALL_TABLES[projection.name]!.targets)
      if (AGGREGATES.has(name))
        await store.client.command(`DROP VIEW ${getDatabase(identity, projection)}.${name}_mv SYNC`, {
          route: 'bench',
        });
}
