/** `npm run bench:replay`: the speed of rebuilding a projection from stored blocks, and its effect on readers. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BASE } from '../pipelines/base.ts';
import { inputLandings } from '../src/engine/projection/projection.ts';
import { resolveSettings } from '../src/platform/config/resolve-settings.ts';
import { BenchError } from './common/bench-error.ts';
import { openBenchStore, settle } from './common/bench-store.ts';
import { type BenchOptions, benchDirectory, readOptions } from './common/options.ts';
import type { UsageSummary } from './common/process-usage.ts';
import { note, printTable, round } from './common/report.ts';
import { ingestInChild, NETWORK } from './ingest/child-options.ts';
import { dropReady, insertReady, makeReady } from './ingest/ready-made.ts';
import { type ReaderFigures, replayAlone, replayWithReaders } from './replay/measure-replay.ts';
import type { ReplayDone } from './replay/replay-process.ts';
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
    // Tables that a replay does not write are not in the limit either: raw blocks are linked.
    const ready = await makeReady(plan, readyDirectory, shape, inputLandings(BASE));
    note(`${ready.batches.length} batches; first indexing`);
    const index = await ingestInChild({ ...options, data: directory.path });
    const indexMerges = await settle(store.client);
    note(`${index.seconds.toFixed(1)} s; inserting the batches`);
    // The limit is measured on both sides of the replay: how fast a shared machine is changes within minutes.
    const inserted = await insertReady(ready, store, plan, { ...shape, network: 'ready' });
    await settle(store.client);
    note(`${inserted.seconds.toFixed(1)} s; replaying`);
    const { blocks, transactions, epochs } = options;
    const chain = { data: directory.path, blocks, transactions, epochs, network: NETWORK };
    const alone = await replayAlone(chain);
    await settle(store.client);
    note(`${alone.replaySeconds.toFixed(1)} s; inserting the batches again`);
    const again = await insertReady(ready, store, plan, { ...shape, network: 'again' });
    rmSync(readyDirectory, { recursive: true, force: true });
    await settle(store.client);
    note(`${again.seconds.toFixed(1)} s; readers alone`);
    const readers = await replayWithReaders(chain, plan, store);
    await dropReady(store);
    const phases = [
      { name: 'first indexing', ...index, mergeSeconds: indexMerges },
      { name: 'replay', ...alone, seconds: alone.replaySeconds },
      { name: 'ready-made inserts', ...inserted },
      { name: 'the same again', ...again },
    ];
    print(options, plan.transactions, phases, { alone, ...readers });
  } finally {
    await store.close();
    directory.leave();
  }
}

/** Some work on all transactions of the chain. */
interface Phase {
  readonly name: string;
  /** Until the last row was written. */
  readonly seconds: number;
  readonly mergeSeconds: number;
  readonly usage: Readonly<Record<string, UsageSummary | null>>;
}

function print(
  { json }: BenchOptions,
  transactions: number,
  phases: readonly Phase[],
  { alone, withReaders, before, during, switchMs }: ReaderFigures & { readonly alone: ReplayDone },
): void {
  // Later merges of a phase belong to it: otherwise the phase with more of them would seem faster.
  const [index = 0, replay = 0, insert = 0] = rates(
    transactions,
    phases.map(({ seconds, mergeSeconds }) => seconds + mergeSeconds),
  );
  const [, replayRows = 0, insertRows = 0] = rates(
    transactions,
    phases.map(({ seconds }) => seconds),
  );
  const summary = {
    index_tx_per_s: Math.round(index),
    replay_tx_per_s: Math.round(replay),
    insert_only_tx_per_s: Math.round(insert),
    ratio_to_limit: round(replay / insert),
    ratio_to_last_row: round(replayRows / insertRows),
    reader_p99_ratio: round(during.p99 / before.p99),
    switch_ms: round(switchMs, 1),
    rows_differ: alone.rowsDiffer + withReaders.rowsDiffer,
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
    'phases',
    ['', 'seconds', 'then merging', 'tx/s without it', 'CPU s store', 'CPU s node'],
    phases.map(({ name, seconds, mergeSeconds, usage }) => [
      name,
      seconds,
      mergeSeconds,
      Math.round(transactions / seconds),
      usage.clickhouse?.cpuSeconds ?? 0,
      usage.node?.cpuSeconds ?? 0,
    ]),
  );
  printTable(
    'whole',
    ['', 'value'],
    [
      ['transactions', transactions],
      ['seconds of the replay with checks, comparison and switch', alone.wholeSeconds],
      ['seconds of the one beside the readers', withReaders.wholeSeconds],
    ],
  );
}

/** Transactions per second of first indexing, of the replay and of the inserts before and after it taken together. */
function rates(transactions: number, [index = 0, replay = 0, ...inserts]: readonly number[]): number[] {
  const mean = inserts.reduce((sum, seconds) => sum + seconds, 0) / inserts.length;
  return [index, replay, mean].map((seconds) => transactions / seconds);
}

try {
  const options = readOptions(TITLE);
  if (options) await run(options);
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
