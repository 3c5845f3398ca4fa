import { openLog, requireIdentity } from '../../src/cli/compose/data-directory.ts';
import { serveStore } from '../../src/cli/compose/serving.ts';
import { runSession } from '../../src/cli/session.ts';
import { createStoreClient } from '../../src/platform/clickhouse/client.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import type { BenchStore } from '../common/bench-store.ts';
import type { Endpoint } from './endpoints.ts';
import { HttpLoad, type Unit } from './http-load.ts';
import { startRecorder } from './recorder.ts';

/** By endpoint: for each of its requests the statements that the API sends to the store. */
export async function recordStatements(
  data: string,
  store: BenchStore,
  endpoints: readonly Endpoint[],
): Promise<ReadonlyMap<string, readonly Unit[]>> {
  const recorder = await startRecorder(store.url);
  try {
    return await runSession({ logLevel: 'warn' }, async (session) => {
      const log = await openLog(data, session);
      const client = createStoreClient({ url: recorder.url, user: store.user, password: store.password });
      session.shutdown.add('store client', () => client.close());
      const settings = {
        ...resolveSettings(['host', 'defaultLimit', 'queryTimeoutMs', 'tvmThreads', 'blockIdTag'], {}),
        port: 0,
        storeStatements: 16,
        responseCacheMb: 0,
        maxConnections: 1000,
        allowedHost: [],
        cors: 'off' as const,
      };
      const { url } = await serveStore(client, await requireIdentity(log), log.bus, settings, session);
      const load = new HttpLoad(url, 1);
      const recorded = new Map<string, readonly Unit[]>();
      for (const { name, requests } of endpoints) {
        const units: Unit[] = [];
        for (const request of requests) {
          // The second time: what it remembers of the first it does not ask again, and neither do the bare statements.
          await load.call(request);
          recorder.take();
          await load.call(request);
          units.push(recorder.take());
        }
        recorded.set(name, units);
      }
      load.close();
      return recorded;
    });
  } finally {
    await recorder.close();
  }
}

/** What statements read, on average for one answer. */
export interface Reading {
  readonly statements: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Sends each statement once, and reads the store's own summary of it. */
export async function measureReading(load: HttpLoad, units: readonly Unit[]): Promise<Reading> {
  const sum = { statements: 0, rows: 0, bytes: 0 };
  for (const unit of units) {
    for (const call of unit) {
      const { headers } = await load.call(call);
      const summary = JSON.parse(String(headers['x-clickhouse-summary'] ?? '{}')) as Record<string, string>;
      sum.statements++;
      sum.rows += Number(summary.read_rows ?? 0);
      sum.bytes += Number(summary.read_bytes ?? 0);
    }
  }
  const average = (value: number) => value / Math.max(1, units.length);
  return { statements: average(sum.statements), rows: average(sum.rows), bytes: average(sum.bytes) };
}
