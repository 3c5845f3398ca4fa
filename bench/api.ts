/** `npm run bench:api`: how fast the API answers, against the bare statements that it sends. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPointer } from '../src/engine/versions/projection-pointer.ts';
import { compactTables } from '../src/platform/clickhouse/compact-tables.ts';
import { versionDatabase } from '../src/platform/clickhouse/migrations/database-names.ts';
import { readTableSizes } from '../src/platform/clickhouse/table-sizes.ts';
import { collectBuffersSeldom } from '../src/platform/threads/external-memory.ts';
import { startApi } from './api/api-process.ts';
import { chooseEndpoints } from './api/endpoints.ts';
import { HttpLoad, measureLatency, measureThroughput } from './api/http-load.ts';
import { type EndpointFigures, printApi } from './api/print-api.ts';
import { measureReading, recordStatements } from './api/record-statements.ts';
import { BenchError } from './common/bench-error.ts';
import { openBenchStore, settle } from './common/bench-store.ts';
import { type BenchOptions, benchDirectory, readOptions } from './common/options.ts';
import { cpuPerUnit } from './common/process-usage.ts';
import { note } from './common/report.ts';
import { ingestInChild, NETWORK } from './ingest/child-options.ts';

const TITLE =
  'bench:api: latency and throughput of the API over a synthetic index, and of its bare statements';

/** Measuring latency may take this many times as long as a concurrent run. */
const SLOWEST = 6;

/** So many answers are asked for again: they find place in the memory of answers as it is by default. */
const AGAIN = 100;

async function run(options: BenchOptions): Promise<void> {
  const directory = benchDirectory(options);
  try {
    if (!existsSync(join(directory.path, 'log', 'log.sqlite'))) await makeIndex(options, directory.path);
    await measure(options, directory.path);
  } finally {
    directory.leave();
  }
}

async function makeIndex(options: BenchOptions, data: string): Promise<void> {
  note(`making an index of ${options.transactions} transactions in ${data}`);
  await ingestInChild({ ...options, data });
}

async function measure(options: BenchOptions, data: string): Promise<void> {
  collectBuffersSeldom();
  const store = await openBenchStore(data);
  try {
    const { version } = await readPointer(store.client, NETWORK, 'base');
    if (version === null) throw new BenchError(`${data} holds no index of the synthetic network`);
    const database = versionDatabase(NETWORK, 'base', version);
    await settle(store.client);
    // As `tonhouse index` leaves a store.
    await compactTables(store.client, database, { route: 'bench/compact' });
    const sizes = await readTableSizes(store.client, database);
    const endpoints = await chooseEndpoints(store.client, database, options.requests);
    note('recording the statements of each request');
    const statements = await recordStatements(data, store, endpoints);
    // Every answer is made: what the API would give again from memory is measured by itself.
    const api = await startApi(data, ['--answer-memory-mb', '0']);
    const remembering = await startApi(data, []);
    const figures: EndpointFigures[] = [];
    try {
      for (const { name, requests } of endpoints) {
        note(name);
        const units = requests.map((request) => [request]);
        const bare = statements.get(name) ?? [];
        const one = {
          api: new HttpLoad(api.url, 1),
          again: new HttpLoad(remembering.url, 1),
          store: new HttpLoad(store.url, 1),
        };
        const many = {
          api: new HttpLoad(api.url, options.connections),
          store: new HttpLoad(store.url, options.connections),
        };
        const first = await measureLatency(one.api, units, units.length, options.seconds * SLOWEST, 0);
        const timed = await cpuPerUnit(
          { api: api.pid, store: store.pid },
          () => measureLatency(one.api, units, options.requests, options.seconds * SLOWEST),
          ({ sent }) => sent,
        );
        figures.push({
          name,
          first,
          latency: timed.result,
          cpuMs: timed.cpuMs,
          again: await measureLatency(
            one.again,
            units.slice(0, AGAIN),
            options.requests,
            options.seconds * SLOWEST,
            AGAIN,
          ),
          bareLatency: await measureLatency(one.store, bare, options.requests, options.seconds * SLOWEST),
          reading: await measureReading(one.store, bare),
          bare: await measureThroughput(many.store, bare, options.connections, options.seconds),
          api: await measureThroughput(many.api, units, options.connections, options.seconds),
        });
        for (const load of [one.api, one.again, one.store, many.api, many.store]) load.close();
      }
    } finally {
      await Promise.all([api.stop(), remembering.stop()]);
    }
    printApi({ figures, sizes, connections: options.connections, json: options.json });
  } finally {
    await store.close();
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
