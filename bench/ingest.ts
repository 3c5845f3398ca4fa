/** `npm run bench:ingest`: how fast blocks become rows, against inserting the same rows ready made. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BASE } from '../pipelines/base.ts';
import { databaseOf } from '../src/engine/versions/version-names.ts';
import { readTableSizes } from '../src/platform/clickhouse/table-sizes.ts';
import { resolveSettings } from '../src/platform/config/resolve-settings.ts';
import { BenchError } from './common/bench-error.ts';
import { openBenchStore, settle } from './common/bench-store.ts';
import { type BenchOptions, benchDirectory, readOptions } from './common/options.ts';
import { note } from './common/report.ts';
import { ingestInChild, NETWORK } from './ingest/child-options.ts';
import { printIngest } from './ingest/print-ingest.ts';
import { dropReady, insertReady, makeReady } from './ingest/ready-made.ts';
import { planChain } from './synthetic/chain-plan.ts';
import { readRealBlocks } from './synthetic/real-blocks.ts';

const TITLE =
  'bench:ingest: synthetic blocks through log, decoding and store, and the same rows inserted ready made';

async function run(options: BenchOptions): Promise<void> {
  const real = readRealBlocks(options.blocks);
  const plan = planChain(real, options.transactions, options.epochs, NETWORK);
  const directory = benchDirectory(options);
  const store = await openBenchStore(directory.path);
  try {
    const { batchRows } = resolveSettings(['batchRows'], {});
    const shape = { batchRows, batches: 3, tables: 3 };
    note(`${plan.transactions} transactions in ${plan.blocks} blocks: making ready-made batches`);
    const readyDirectory = join(directory.path, 'ready-made');
    const ready = await makeReady(plan, readyDirectory, shape);
    note(`${ready.batches.length} batches, ${Math.round(ready.bytes / 2 ** 20)} MiB: inserting them`);
    const inserted = await insertReady(ready, store, plan, shape);
    rmSync(readyDirectory, { recursive: true, force: true });
    await settle(store.client);
    note(`${inserted.seconds.toFixed(1)} s; end to end`);
    const whole = await ingestInChild({ ...options, data: directory.path });
    note(`${whole.seconds.toFixed(1)} s`);
    await settle(store.client);
    await dropReady(store);
    const sizes = await readTableSizes(store.client, databaseOf(plan.identity, BASE));
    printIngest({ plan, ready, inserted, whole, sizes, json: options.json });
  } finally {
    await store.close();
    directory.leave();
  }
}

try {
  const options = readOptions(TITLE);
  if (options) await run(options);
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
