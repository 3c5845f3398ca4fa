import type { FastifyInstance } from 'fastify';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { chainPort, openContractRunner } from '../../src/cli/compose/chain-port.ts';
import { readVisibleSpan } from '../../src/engine/watermark/visible-span.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { startTestServer } from './clickhouse-server.ts';
import { indexInProcess } from './index-in-process.ts';
import { DEFAULT_SERVE_SETTINGS } from './serve-settings.ts';
import { baseVector } from './version-vector.ts';

/** Both APIs over unrelated blocks, indexed as `tonhouse index --isolated` does. */
export interface IsolatedApi {
  readonly app: FastifyInstance;
  readonly client: StoreClient;
  readonly database: string;
  /** Warnings and errors that the code under test logged. */
  readonly logged: string[];
  close(): Promise<void>;
}

/** Indexes the files of a folder; `close()` removes all of it. */
export async function openIsolatedApi(folder: string): Promise<IsolatedApi> {
  const server = await startTestServer();
  const shutdown = new Shutdown();
  const logged: string[] = [];
  const keep = (facts: object, text: string) => logged.push(`${text} ${JSON.stringify(facts, errorText)}`);
  const log = { debug() {}, info() {}, warn: keep, error: keep };
  const close = async () => {
    await shutdown.close(() => {});
    await server.stop();
  };
  try {
    const { client } = server;
    const { database } = await indexInProcess(client, { source: `isolated:${folder}`, isolated: true });
    const visible = await readVisibleSpan(client, database);
    const session = { log, shutdown, signal: shutdown.signal, owner: 'test', metrics: new Metrics() };
    const context: ServeContext = {
      client,
      vector: () => baseVector(database, visible),
      network: { label: 'isolated', testnet: false, zerostate: null, isolated: true },
      settings: { ...DEFAULT_SERVE_SETTINGS, queryTimeoutMs: 30_000 },
      log,
      chain: chainPort(null, openContractRunner(session)),
      health: async () => ({ deadLetters: 0 }),
    };
    const app = await buildServer(context);
    shutdown.add('api', () => app.close());
    return { app, client, database, logged, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function errorText(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.stack : value;
}
