/** `npm run bench:api`: how fast the API answers, against the bare statements that it sends. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPointer } from '../src/engine/versions/projection-pointer.ts';
import { compactTables } from '../src/platform/clickhouse/compact-tables.ts';
import { versionDatabase } from '../src/platform/clickhouse/migrations/database-names.ts';
import { readTableSizes } from '../src/platform/clickhouse/table-sizes.ts';
import { deferBufferCollection } from '../src/platform/threads/external-memory.ts';
import { chooseEndpoints, MAX_KEYS } from './api/endpoints.ts';
import { fillTokens } from './api/fill-tokens.ts';
import { type ApiFigures, measureEndpoints } from './api/measure-endpoints.ts';
import { measureRoutes, ROUTES_TRANSACTIONS } from './api/measure-routes.ts';
import { printApi } from './api/print-api.ts';
import { printRoutes } from './api/print-routes.ts';
import { recordStatements } from './api/record-statements.ts';
import { tokenEndpoints } from './api/token-endpoints.ts';
import { BenchError } from './common/bench-error.ts';
import { openBenchStore, settle } from './common/bench-store.ts';
import { type BenchOptions, benchDirectory, readOptions } from './common/options.ts';
import { note } from './common/report.ts';
import { ingestInChild, NETWORK } from './ingest/child-options.ts';

const TITLE = `bench:api: latency and throughput of the API over a synthetic index, and of its bare statements

Answers are cold: made without the response cache, which is measured by itself. --json prints one object:
  select1_rps_16   SELECT 1 a second, sent bare by the same load client at 16 connections (or --connections)
  select1_cpu_ms   CPU time of the store for one of them, ms
  routes           [{name, p50_1, p99_1, rps_1, rps_16, cpu_ms, cpu_to_select1, statements, rows, errors}]: ms and answers a
                   second at one connection, answers a second at 16, and the CPU time of an answer of that run, API and store
                   together, in ms and as a multiple of that of SELECT 1; statements and rows read of an answer
  local_routes     the same of every GET route of v3, over a local chain with all projections (see bench:routes), of at most as
                   many transactions as the synthetic index
  endpoints, tables, overall_ratio, wanted, connections, synthetic: all that the tables show
Progress is on stderr. An index in --data is used again where there is one.`;

/** Requests to each route of the local chain, at one connection, at most. */
const ROUTES_REQUESTS = 100;

async function run(options: BenchOptions): Promise<void> {
  const directory = benchDirectory(options);
  try {
    if (!existsSync(join(directory.path, 'log', 'log.sqlite'))) await makeIndex(options, directory.path);
    const print = await measure(options, directory.path);
    const transactions = Math.min(ROUTES_TRANSACTIONS, options.transactions);
    const requests = Math.min(ROUTES_REQUESTS, options.requests);
    const { connections, lookUpIndex } = options;
    print(await measureRoutes({ transactions, requests, connections, lookUpIndex }));
  } finally {
    directory.leave();
  }
}

async function makeIndex(options: BenchOptions, data: string): Promise<void> {
  note(`making an index of ${options.transactions} transactions in ${data}`);
  await ingestInChild({ ...options, data });
}

/** Measures over the synthetic index; what it answers prints that, and the rows of the routes. */
async function measure(options: BenchOptions, data: string): Promise<(local: ApiFigures) => void> {
  deferBufferCollection();
  const store = await openBenchStore(data);
  try {
    const { version } = await readPointer(store.client, NETWORK, 'base');
    if (version === null) throw new BenchError(`${data} contains no index of the synthetic network`);
    const database = versionDatabase(NETWORK, 'base', version);
    const tokens = await fillTokens(data, store.client, options.transactions);
    await settle(store.client);
    // As `tonhouse index` leaves a store.
    await compactTables(store.client, database, { route: 'bench/compact' });
    const sizes = await readTableSizes(store.client, database);
    const count = Math.min(MAX_KEYS, options.requests);
    const endpoints = [
      ...(await chooseEndpoints(store.client, database, options.requests)),
      ...tokenEndpoints(tokens, count),
    ];
    note('recording the statements of each request');
    const statements = await recordStatements(data, store, endpoints, options.lookUpIndex);
    const figures = await measureEndpoints({
      ...{ data, store, endpoints, statements, options },
      lookUpIndex: options.lookUpIndex,
    });
    return (local) => {
      const { connections, json } = options;
      printApi({ ...figures, sizes, connections, json, local });
      if (!json) printRoutes(local.figures, Math.min(ROUTES_TRANSACTIONS, options.transactions));
    };
  } finally {
    await store.close();
  }
}

try {
  const options = readOptions(TITLE, { hasLookUps: true });
  if (options) await run(options);
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
