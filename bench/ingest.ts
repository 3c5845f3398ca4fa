/** `npm run bench:ingest`: how fast blocks become rows, against inserting the same rows ready made. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { resolveSettings } from '../src/platform/config/resolve-settings.ts';
import { BenchError } from './common/bench-error.ts';
import { openBenchStore } from './common/bench-store.ts';
import { type BenchOptions, benchDirectory, readOptions } from './common/options.ts';
import { note } from './common/report.ts';
import { measureAllProjections, printAllProjections } from './ingest/all-projections.ts';
import { ingestInChild, NETWORK } from './ingest/child-options.ts';
import { insertPaced } from './ingest/insert-paced.ts';
import { printIngest } from './ingest/print-ingest.ts';
import { dropReady, insertReady, makeReady } from './ingest/ready-made.ts';
import { planChain } from './synthetic/chain-plan.ts';
import { readRealBlocks } from './synthetic/real-blocks.ts';

const TITLE =
  'bench:ingest: synthetic blocks through log, decoding and store, and the same rows inserted ready made';

/** Fewer would hardly be merged. */
const MIN_BATCHES = 40;
/** One for each lane: a batch never crosses the end of an epoch. */
const EPOCHS = 8;

async function run(options: BenchOptions): Promise<void> {
  const real = readRealBlocks(options.blocks);
  const plan = planChain(real, options.transactions, options.epochs, NETWORK);
  const directory = benchDirectory(options);
  const store = await openBenchStore(directory.path);
  try {
    const { batchRows } = resolveSettings(['batchRows'], {});
    const rows = Math.min(batchRows, Math.ceil(plan.transactions / MIN_BATCHES));
    const shape = { batchRows: rows, batches: 3, tables: 3 };
    note(`${plan.transactions} transactions in ${plan.blocks} blocks: making ready-made batches`);
    const readyDirectory = join(directory.path, 'ready-made');
    const ready = await makeReady(plan, readyDirectory, shape);
    note(`${ready.batches.length} batches, ${Math.round(ready.bytes / 2 ** 20)} MiB: inserting them`);
    const inserted = await insertReady(ready, store, plan, shape);
    note(`${inserted.seconds.toFixed(1)} s; once more, each when the one before is merged`);
    const paced = await insertPaced(ready, store, plan, shape);
    rmSync(readyDirectory, { recursive: true, force: true });
    note(`${paced.storeCpuMicroseconds?.toFixed(1) ?? '?'} µs a transaction; end to end`);
    const endToEnd = await ingestInChild({ ...options, data: directory.path });
    note(`${endToEnd.seconds.toFixed(1)} s`);
    await dropReady(store);
    printIngest({ plan, ready, inserted, paced, endToEnd, json: options.json });
  } finally {
    await store.close();
    directory.leave();
  }
}

try {
  const options = readOptions(TITLE, { epochs: EPOCHS, hasProjections: true });
  if (options?.projections === 'all') printAllProjections(await measureAllProjections(options), options);
  else if (options) await run(options);
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
