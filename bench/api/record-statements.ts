import { READ_SETTINGS } from '../../src/api/query/scope.ts';
import { openLog, requireIdentity } from '../../src/cli/compose/data-directory.ts';
import { serveStore } from '../../src/cli/compose/serving.ts';
import { runSession } from '../../src/cli/session.ts';
import { SERVE_SETTINGS } from '../../src/cli/setting-groups.ts';
import { createStoreClient } from '../../src/platform/clickhouse/client.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import type { BenchStore } from '../common/bench-store.ts';
import type { Endpoint } from './endpoints.ts';
import { HttpSender, type Unit } from './http-sender.ts';
import { type LookUpChoice, untilIndexed } from './look-up-index.ts';
import { startRecorder } from './recorder.ts';

export interface RecordedStatements {
  /** By endpoint: for each of its requests the statements that the API sends to the store. */
  readonly ofEndpoints: ReadonlyMap<string, readonly Unit[]>;
  /** `SELECT 1` as the API's client sends a statement of an answer: the least that one costs. */
  readonly select1: Unit;
}

/** Sends each request to an API of this process and keeps its statements. */
export async function recordStatements(
  data: string,
  store: BenchStore,
  endpoints: readonly Endpoint[],
  lookupIndex: LookUpChoice,
): Promise<RecordedStatements> {
  const recorder = await startRecorder(store.url);
  try {
    return await runSession({ logLevel: 'warn' }, async (session) => {
      const log = await openLog(data, session);
      const client = createStoreClient({ url: recorder.url, user: store.user, password: store.password });
      session.shutdown.add('store client', () => client.close());
      const flags = { port: '0', responseCacheMb: '0', keylessLimit: 'off', lookupIndex };
      const settings = { ...resolveSettings([...SERVE_SETTINGS, 'lakeDatabase', 'sessionMs'], flags), data };
      const { bus, codec, directory } = log;
      const { url } = await serveStore(
        { identity: await requireIdentity(log), bus, codec, directory, reader: client, client },
        settings,
        session,
      );
      if (lookupIndex === 'on') await untilIndexed(url);
      recorder.take();
      await client.queryBytes('SELECT 1 FORMAT RowBinary', { route: 'v3/select-1', settings: READ_SETTINGS });
      const select1 = recorder.take();
      const sender = new HttpSender(url, 1);
      const recorded = new Map<string, readonly Unit[]>();
      for (const { name, requests } of endpoints) {
        const units: Unit[] = [];
        for (const request of requests) {
          // The second call: cached values are not requested again, nor by the bare statements.
          await sender.call(request);
          recorder.take();
          await sender.call(request);
          units.push(recorder.take());
        }
        recorded.set(name, units);
      }
      sender.close();
      return { ofEndpoints: recorded, select1 };
    });
  } finally {
    await recorder.close();
  }
}

/** Rows and bytes that statements read, averaged per answer. */
export interface Reading {
  readonly statements: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Sends each statement once, and reads the store's own summary of it. */
export async function measureReading(sender: HttpSender, units: readonly Unit[]): Promise<Reading> {
  const sum = { statements: 0, rows: 0, bytes: 0 };
  for (const unit of units) {
    for (const call of unit) {
      const { headers } = await sender.call(call);
      const summary = JSON.parse(String(headers['x-clickhouse-summary'] ?? '{}')) as Record<string, string>;
      sum.statements++;
      sum.rows += Number(summary.read_rows ?? 0);
      sum.bytes += Number(summary.read_bytes ?? 0);
    }
  }
  const average = (value: number) => value / Math.max(1, units.length);
  return { statements: average(sum.statements), rows: average(sum.rows), bytes: average(sum.bytes) };
}
