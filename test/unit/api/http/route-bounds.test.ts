import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServerRoute, serverRoutes } from '../../../../scripts/layout/server-routes.ts';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import type { ProjectionView } from '../../../../src/api/version-vector.ts';
import { createStoreClient, type StoreClient } from '../../../../src/platform/clickhouse/client.ts';
import { Metrics } from '../../../../src/platform/observability/metrics/metrics.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';
import { viewOf } from '../../../helpers/version-vector.ts';

/* Every route of a server: its body is bounded, and it is answered although the store does not respond. */

const QUERY_MS = 500;

describe('every route', { timeout: 300_000 }, () => {
  const sockets = new Set<Socket>();
  let [deaf, client]: [Server | null, StoreClient | null] = [null, null];
  let app: FastifyInstance;
  let routes: readonly ServerRoute[];

  beforeAll(async () => {
    deaf = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
    });
    await new Promise<void>((resolve) => deaf!.listen(0, '127.0.0.1', resolve));
    client = createStoreClient({ url: `http://127.0.0.1:${(deaf.address() as AddressInfo).port}` });
    const view = (name: string): ProjectionView => viewOf(`none_${name}`, { first: 1, last: 2 });
    const vector = {
      base: view('base'),
      activity: view('activity'),
      contracts: view('contracts'),
      detections: view('detections'),
      traces: view('traces'),
      actions: view('actions'),
      lake: view('lake'),
    };
    const settings = { queryTimeoutMs: QUERY_MS, storeStatements: 1_000 };
    app = await buildServer({
      ...storelessContext(settings),
      client,
      vector: () => vector,
      health: () => new Promise(() => {}),
      metrics: new Metrics(),
    });
    routes = await serverRoutes();
  }, 120_000);
  afterAll(async () => {
    await app?.close();
    for (const socket of sockets) socket.destroy();
    await client?.close();
    deaf?.close();
  });

  it('is answered within its time even if the store accepts connections and never answers', async () => {
    const answers = await Promise.all(
      routes.map(async ({ method, url, example }) => {
        const reply =
          method === 'GET'
            ? await app.inject({ url, query: queryOf(example) })
            : await app.inject({ method, url, payload: { ...example } });
        return [`${method} ${url}`, reply.statusCode] as const;
      }),
    );
    expect(answers.length).toBeGreaterThan(150);
    const unusual = answers.filter(
      ([, status]) => ![200, 301, 302, 400, 404, 426, 500, 501, 503, 504, 542].includes(status),
    );
    expect(unusual).toEqual([]);
    const statuses = new Map(answers);
    expect(statuses.get('GET /api/v3/transactions')).toBe(500);
    expect(statuses.get('GET /api/v2/getTransactions')).toBe(504);
    for (const health of ['/healthz', '/readyz', '/readyz/base', '/api/streaming/healthz'])
      expect([health, statuses.get(`GET ${health}`)]).toEqual([health, 503]);
  });

  it('accepts a body up to its documented size and answers 413 above', async () => {
    const posts = routes.filter(({ method }) => method === 'POST');
    expect(posts.length).toBeGreaterThan(40);
    const answers = await Promise.all(
      posts.map(async ({ url, bodyBytes }) => {
        const payload = `{"pad":"${'x'.repeat(bodyBytes - 9)}"}`;
        const headers = { 'content-type': 'application/json' };
        const { statusCode } = await app.inject({ method: 'POST', url, payload, headers });
        return [url, bodyBytes <= 256 * 1024, statusCode];
      }),
    );
    expect(answers).toEqual(posts.map(({ url }) => [url, true, 413]));
  });
});

function queryOf(example: ServerRoute['example']): Record<string, string | string[]> {
  const text = (value: unknown) => (Array.isArray(value) ? value.map(String) : String(value));
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, text(value)]));
}
