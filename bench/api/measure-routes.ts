import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import { runSession } from '../../src/cli/session.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import { openBenchStore, settle } from '../common/bench-store.ts';
import { measureProjections, openLocalIndex } from '../common/local-index.ts';
import { note } from '../common/report.ts';
import { startApi } from './api-process.ts';
import { type ApiFigures, measureEndpoints } from './measure-endpoints.ts';
import { recordStatements } from './record-statements.ts';
import { routeEndpoints } from './route-endpoints.ts';

/** Transactions of a masterchain step: a busy head. */
const PER_STEP = 200;

/** Transactions of the local chain. */
export const ROUTES_TRANSACTIONS = 40_000;
/** Length of the concurrent runs, which are short: there are many rows. */
const SECONDS = 1;
const CONNECTIONS = 16;

export interface RoutesRun {
  readonly transactions: number;
  /** Requests of each row at one connection. */
  readonly requests: number;
  /** Of the concurrent runs. Default 16. */
  readonly connections?: number;
  /** Only rows whose name has this text. */
  readonly only?: string;
}

/** Measures every GET route of v3 over an index of a local chain under mixed traffic, with all of its projections. */
export async function measureRoutes({
  transactions,
  requests,
  connections = CONNECTIONS,
  only = '',
}: RoutesRun): Promise<ApiFigures> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const [packs, data] = [join(directory, 'packs'), join(directory, 'data')];
    note(`${transactions} transactions of a local chain in the TVM`);
    await generatePacks({ directory: packs, transactions, seed: 'routes', shards: 1, perStep: PER_STEP });
    await runSession({ logLevel: 'warn' }, async (session) => {
      await measureProjections(await openLocalIndex(data, packs, session), PROJECTIONS, session);
    });
    const store = await openBenchStore(data);
    try {
      await settle(store.client);
      const api = await startApi(data, []);
      const all = await routeEndpoints(api.url).finally(() => api.stop());
      const endpoints = all.filter(({ name }) => name.includes(only));
      const options = { connections, seconds: SECONDS, requests };
      const statements = await recordStatements(data, store, endpoints);
      return await measureEndpoints({ data, store, endpoints, statements, options });
    } finally {
      await store.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
