/** `npm run bench:lanes`: throughput of 1, 2 and 4 lanes with as many decode processes, on Kafka and ClickHouse. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnBroker } from '../test/helpers/kafka-process.ts';
import { BenchError } from './common/bench-error.ts';
import { openBenchStore } from './common/bench-store.ts';
import { note } from './common/report.ts';
import { type LanesOptions, readLanesOptions } from './lanes/lanes-options.ts';
import { printLanes } from './lanes/print-lanes.ts';
import { type LanesRun, runLanes } from './lanes/run-lanes.ts';
import { readRealBlocks } from './synthetic/real-blocks.ts';

async function run({ lanes, transactions, blocks, brokers, json }: LanesOptions): Promise<void> {
  const real = readRealBlocks(blocks);
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  const broker = brokers === null ? await startOwnBroker() : null;
  const store = await openBenchStore(folder);
  const runs: LanesRun[] = [];
  try {
    const place = { brokers: brokers ?? broker?.brokers ?? [], broker, store };
    for (const count of lanes) {
      note(`${count} lanes`);
      runs.push(await runLanes(real, count, transactions, place));
    }
    printLanes(runs, json);
  } finally {
    await store.close();
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  const options = readLanesOptions();
  if (options) await run(options);
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
