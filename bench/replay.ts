/** `npm run bench:replay`: how fast a projection is built anew from stored blocks, and what readers notice of it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { resolveSettings } from '../src/platform/config/resolve-settings.ts';
import { BenchError } from './common/bench-error.ts';
import { openBenchStore, settle } from './common/bench-store.ts';
import { type BenchOptions, benchDirectory, readOptions } from './common/options.ts';
import { note, printTable, round } from './common/report.ts';
import { ingestInChild, NETWORK } from './ingest/child-options.ts';
import { insertReady, makeReady } from './ingest/ready-made.ts';
import { measureReplay, type ReplayFigures } from './replay/measure-replay.ts';
import { planChain } from './synthetic/chain-plan.ts';
import { readRealBlocks } from './synthetic/real-blocks.ts';

const TITLE =
  'bench:replay: an index of synthetic blocks, built anew beside readers, and the same rows inserted ready made';

async function run(options: BenchOptions): Promise<void> {
  const real = readRealBlocks(options.blocks);
  const plan = planChain(real, options.transactions, options.epochs, NETWORK);
  const directory = benchDirectory(options);
  const store = await openBenchStore(directory.path);
  try {
    const { batchRows } = resolveSettings(['batchRows'], {});
    const shape = { batchRows, batches: 3, tables: 3 };
    note(`${plan.transactions} transactions: making ready-made batches`);
    const readyDirectory = join(directory.path, 'ready-made');
    const ready = await makeReady(plan, readyDirectory, shape);
    note(`${ready.batches.length} batches: inserting them`);
    const identity = { ...plan.identity, network: 'ready', id: 'synthetic:ready' };
    const inserted = await insertReady(ready, store, identity, shape);
    rmSync(readyDirectory, { recursive: true, force: true });
    note(`${inserted.seconds.toFixed(1)} s; first indexing`);
    const index = await ingestInChild({ ...options, data: directory.path });
    note(`${index.seconds.toFixed(1)} s; readers alone`);
    await settle(store.client);
    const planned = { real, transactions: options.transactions, epochs: options.epochs, network: NETWORK };
    const figures = await measureReplay(directory.path, plan, planned, store);
    print(options, {
      transactions: plan.transactions,
      indexSeconds: index.seconds,
      insertSeconds: inserted.seconds,
      ...figures,
    });
  } finally {
    await store.close();
    directory.leave();
  }
}

interface AllFigures extends ReplayFigures {
  readonly transactions: number;
  readonly indexSeconds: number;
  readonly insertSeconds: number;
}

function print({ json }: BenchOptions, figures: AllFigures): void {
  const { transactions, before, during } = figures;
  const insert = transactions / figures.insertSeconds;
  const replay = transactions / figures.replaySeconds;
  const summary = {
    index_tx_per_s: Math.round(transactions / figures.indexSeconds),
    replay_tx_per_s: Math.round(replay),
    insert_only_tx_per_s: Math.round(insert),
    ratio_to_limit: round(replay / insert),
    reader_p99_ratio: round(during.p99 / before.p99),
    switch_ms: round(figures.switchMs, 1),
  };
  if (json) {
    process.stdout.write(`${JSON.stringify(summary)}\n`);
    return;
  }
  printTable('replay', ['', 'value'], Object.entries(summary));
  printTable(
    'readers',
    ['', 'requests', 'errors', 'p50 ms', 'p99 ms', 'max ms'],
    [
      ['alone', before.requests, before.errors, before.p50, before.p99, before.max],
      ['during the replay', during.requests, during.errors, during.p50, during.p99, during.max],
    ],
  );
  printTable(
    'whole',
    ['', 'value'],
    [
      ['transactions', transactions],
      ['seconds with checks, comparison and switch', figures.wholeSeconds],
      ['rows that differ', figures.rowsDiffer],
    ],
  );
}

try {
  const options = readOptions(TITLE);
  if (options) await run(options);
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
