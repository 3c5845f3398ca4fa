/** `npm run bench:aggregates`: CPU time of the store for the aggregates that analysts read. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { resolveSettings } from '../src/platform/config/resolve-settings.ts';
import { type AggregateFigures, measureAllAggregates, toFigures } from './aggregates/all-projections.ts';
import { BenchError } from './common/bench-error.ts';
import { dropNetwork, openBenchStore } from './common/bench-store.ts';
import { type BenchOptions, benchDirectory, readOptions } from './common/options.ts';
import { note, printTable } from './common/report.ts';
import { insertPaced } from './ingest/insert-paced.ts';
import { makeReady } from './ingest/ready-made.ts';
import { planChain } from './synthetic/chain-plan.ts';
import { readRealBlocks } from './synthetic/real-blocks.ts';

const TITLE =
  'bench:aggregates: the same rows inserted into a store with and without the materialized views of aggregates';
/** Views of `base` that nothing but tables of analysts needs. */
const AGGREGATES = ['balances_by_time', 'balance_days', 'transaction_hours', 'message_hours'].map(
  (table) => `${table}_mv`,
);
const ROUNDS = 3;
const MIN_BATCHES = 40;

async function measure(options: BenchOptions): Promise<AggregateFigures> {
  const plan = planChain(readRealBlocks(options.blocks), options.transactions, options.epochs, 'paced');
  const directory = benchDirectory(options);
  const store = await openBenchStore(directory.path);
  try {
    const { batchRows } = resolveSettings(['batchRows'], {});
    const rows = Math.min(batchRows, Math.ceil(plan.transactions / MIN_BATCHES));
    const shape = { batchRows: rows, batches: 3, tables: 3 };
    const folder = join(directory.path, 'ready-made');
    const ready = await makeReady(plan, folder, shape);
    const found = { with: [] as number[], without: [] as number[] };
    for (let run = 0; run < ROUNDS; run++)
      for (const kind of ['with', 'without'] as const) {
        const withoutViews = kind === 'without' ? AGGREGATES : [];
        const network = `paced${run}${kind}` as const;
        const how = { ...shape, network, withoutViews };
        const { storeCpuMicroseconds } = await insertPaced(ready, store, plan, how);
        if (storeCpuMicroseconds === null) throw new BenchError('this system does not report CPU time');
        found[kind].push(storeCpuMicroseconds);
        note(`${kind} aggregates: ${storeCpuMicroseconds.toFixed(1)} µs a transaction`);
        await dropNetwork(store.client, network);
      }
    rmSync(folder, { recursive: true, force: true });
    return toFigures(plan.transactions, found);
  } finally {
    await store.close();
    directory.leave();
  }
}

/** `json`: one object on standard output. */
function print(figures: AggregateFigures, { json }: Pick<BenchOptions, 'json'>): void {
  if (json) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else
    printTable(
      `${figures.transactions.toLocaleString('en')} transactions, µs of the store's CPU a transaction`,
      ['with aggregates', 'without', 'ratio (wanted 1.25 or less)'],
      [[figures.store_cpu_us, figures.store_cpu_us_without, figures.ratio]],
    );
}

try {
  const options = readOptions(TITLE, { epochs: 8, hasProjections: true });
  if (options)
    print(
      options.projections === 'all' ? await measureAllAggregates(options) : await measure(options),
      options,
    );
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
