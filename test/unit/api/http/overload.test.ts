import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAdmission, getHeavyAdmission } from '../../../../src/api/query/admission.ts';
import type { ServeContext, ServeSettings } from '../../../../src/api/serve-context.ts';
import { type Serving, startServing } from '../../../../src/api/serve-stage.ts';
import type { StoreClient } from '../../../../src/platform/clickhouse/client.ts';
import { type IndexedStore, openIndexedStore } from '../../../helpers/indexed-store.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { slowStore } from '../../../helpers/slow-store.ts';

/* Clients that leave, answers that take too long and more work than the store can do, on a real store and real sockets. */

const ROUTE = 'v3/transactions';
const LONG_MS = 600_000;

describeWithData('the API under load', (data) => {
  let store: IndexedStore;
  let serving: Serving | null = null;
  beforeAll(async () => {
    store = await openIndexedStore({
      folders: [`${data}/blocks/mainnet-genesis-0001`],
      only: ['-1_8000000000000000_1.boc', '-1_8000000000000000_2.boc', '-1_8000000000000000_3.boc'],
    });
  });
  afterAll(() => store.close());

  async function serve(client: StoreClient, settings: Partial<ServeSettings> = {}): Promise<ServeContext> {
    await serving?.close();
    const context = { ...store.context, client, settings: { ...store.context.settings, ...settings } };
    serving = await startServing(context, { host: '127.0.0.1', port: 0 });
    return context;
  }
  afterAll(() => serving?.close());
  const get = (path: string, init: RequestInit = {}) => fetch(`${serving!.url}${path}`, init);
  const running = (prefix: string) => store.client.runningQueries(prefix, { route: 'test' });

  it('kills the statement of a client that leaves, and gives its place to others', async () => {
    const client = slowStore(store.client, { route: ROUTE, seconds: 300, queryIdPrefix: 'leaver' });
    const context = await serve(client, { storeStatements: 1, queryTimeoutMs: LONG_MS });
    const socket = connect(Number(new URL(serving!.url).port), '127.0.0.1');
    socket.write('GET /api/v3/transactions?limit=7 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => running('leaver'), { timeout: 60_000 }).toHaveLength(1);
    expect(getAdmission(context).running).toBe(1);
    // Long before its natural end.
    socket.destroy();
    await expect.poll(() => running('leaver'), { timeout: 60_000, interval: 20 }).toEqual([]);
    await expect.poll(() => getAdmission(context).running).toBe(0);
    expect((await get('/api/v3/blocks')).status).toBe(200);
  });

  it('kills it for a client of v2 that sent a body', async () => {
    const client = slowStore(store.client, {
      route: 'v2/getTransactions',
      seconds: 300,
      queryIdPrefix: 'rpc',
    });
    await serve(client, { queryTimeoutMs: LONG_MS });
    const controller = new AbortController();
    const params = { address: `-1:${'3'.repeat(64)}` };
    const gone = get('/api/v2/jsonRPC', {
      method: 'POST',
      body: JSON.stringify({ id: '1', jsonrpc: '2.0', method: 'getTransactions', params }),
      headers: { 'content-type': 'application/json' },
      signal: controller.signal,
    });
    await expect.poll(() => running('rpc'), { timeout: 60_000 }).toHaveLength(1);
    controller.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => running('rpc'), { timeout: 60_000, interval: 20 }).toEqual([]);
    expect(store.logged).toEqual([]);
  });

  it('keeps one deadline over all statements of an answer', async () => {
    const client = slowStore(store.client, { route: ROUTE, seconds: 0.7, queryIdPrefix: 'twice' });
    await serve(client);
    // At least two statements: the page, and the codes of its accounts; each is within the time.
    const reply = await get('/api/v3/transactions?limit=8&x_timeout=1000');
    expect([reply.status, await reply.json()]).toEqual([
      500,
      { code: 500, error: 'internal server error: the query took longer than its time limit' },
    ]);
    expect(store.logged.splice(0).length).toBeGreaterThan(0);
  });

  it.each([
    ['a large answer is read among the heavy ones', 1_000, 1],
    ['a short one is not', 10, 0],
  ])('%s', async (_name, limit, heavy) => {
    const client = slowStore(store.client, { route: ROUTE, seconds: 300, queryIdPrefix: `rows-${limit}` });
    const context = await serve(client, { queryTimeoutMs: LONG_MS });
    const controller = new AbortController();
    const gone = get(`/api/v3/transactions?limit=${limit}`, { signal: controller.signal });
    await expect.poll(() => running(`rows-${limit}`), { timeout: 60_000 }).toHaveLength(1);
    expect([getAdmission(context).running, getHeavyAdmission(context).running]).toEqual([1, heavy]);
    controller.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => getAdmission(context).running, { timeout: 60_000 }).toBe(0);
  });

  describe('more work than the store can do', () => {
    it('is answered 503 with Retry-After, never 500, and the rest is answered', async () => {
      const client = slowStore(store.client, { route: ROUTE, seconds: 0.2, queryIdPrefix: 'many' });
      const context = await serve(client, { storeStatements: 2, queryTimeoutMs: 6_000 });
      const pages = Array.from({ length: 60 }, (_, i) => get(`/api/v3/transactions?limit=${i + 10}`));
      await expect.poll(() => getAdmission(context).waiting).toBeGreaterThan(10);
      expect((await get('/healthcheck')).status).toBe(200);
      expect((await get('/healthz')).status).toBe(200);
      // Both were answered while the pages still wait.
      expect(getAdmission(context).waiting).toBeGreaterThan(0);
      const replies = await Promise.all(pages);
      const counts = Object.groupBy(replies, ({ status }) => status);
      expect(Object.keys(counts)).toEqual(['200', '503']);
      expect(counts[200]?.length).toBeGreaterThanOrEqual(1);
      for (const reply of counts[503] ?? []) {
        expect(reply.headers.get('retry-after')).toBe('1');
        expect(await reply.json()).toEqual({
          code: 503,
          error: 'too many requests are waiting for the database',
        });
      }
      expect(await running('many')).toEqual([]);
      expect((await get('/api/v3/transactions?limit=5')).status).toBe(200);
    });

    it('is also reported by the store, in the envelope of each API', async () => {
      const short: StoreClient['queryRows'] = (_sql, options) =>
        store.client.queryRows('SELECT length(groupArray(number)) FROM numbers(100000000)', {
          ...options,
          params: {},
          maxMemoryBytes: 20_000_000,
        });
      const client = { ...store.client, queryRows: short, queryBytes: short as never };
      await serve(client);
      const v3 = await get('/api/v3/transactions?limit=9');
      expect([v3.status, v3.headers.get('retry-after'), await v3.json()]).toEqual([
        503,
        '1',
        { code: 503, error: 'the database is busy' },
      ]);
      const v2 = await get('/api/v2/lookupBlock?workchain=-1&shard=-9223372036854775808&seqno=2');
      expect([v2.status, v2.headers.get('retry-after'), await v2.json()]).toEqual([
        503,
        '1',
        { ok: false, code: 503, error: 'the database is busy', '@extra': expect.any(String) },
      ]);
      expect(store.logged.splice(0).length).toBeGreaterThan(0);
    });
  });
});
