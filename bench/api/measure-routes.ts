import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import { runSession } from '../../src/cli/session.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import { openBenchStore, settle } from '../common/bench-store.ts';
import { measureProjections, openLocalIndex } from '../common/local-index.ts';
import { benchDirectory } from '../common/options.ts';
import { note } from '../common/report.ts';
import { startApi } from './api-process.ts';
import type { LookUpChoice } from './look-up-index.ts';
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
  /** Directory of the index, which is used again; null: a temporary one. */
  readonly data?: string | null;
  readonly lookUpIndex: LookUpChoice;
  /** Only rows whose name has this text. */
  readonly only?: string;
}

/** Measures every GET route of v3 over an index of a local chain under mixed traffic, with all of its projections. */
export async function measureRoutes({
  transactions,
  requests,
  connections = CONNECTIONS,
  only = '',
  data: kept = null,
  lookUpIndex,
}: RoutesRun): Promise<ApiFigures> {
  const directory = benchDirectory({ data: kept });
  try {
    const data = join(directory.path, 'data');
    if (!existsSync(data)) await makeLocalIndex(directory.path, data, transactions);
    const store = await openBenchStore(data);
    try {
      await settle(store.client);
      const api = await startApi(data, []);
      const all = await routeEndpoints(api.url).finally(() => api.stop());
      const endpoints = all.filter(({ name }) => name.includes(only));
      const options = { connections, seconds: SECONDS, requests };
      const statements = await recordStatements(data, store, endpoints, lookUpIndex);
      return await measureEndpoints({ data, store, endpoints, statements, options, lookUpIndex });
    } finally {
      await store.close();
    }
  } finally {
    directory.leave();
  }
}

async function makeLocalIndex(directory: string, data: string, transactions: number): Promise<void> {
  const packs = join(directory, 'packs');
  note(`${transactions} transactions of a local chain in the TVM`);
  await generatePacks({ directory: packs, transactions, seed: 'routes', shards: 1, perStep: PER_STEP });
  await runSession({ logLevel: 'warn' }, async (session) => {
    await measureProjections(await openLocalIndex(data, packs, session), PROJECTIONS, session);
  });
}
