import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer, startServing } from '../../../src/api/serve-stage.ts';
import { type ApiOfStore, openApi } from '../../helpers/api-of-store.ts';
import { describeWithData } from '../../helpers/shared-data.ts';

/* The HTTP side: errors, headers, health, documents, closing; and the API while nothing is indexed. */

describeWithData('the server', (data) => {
  let api: ApiOfStore;
  beforeAll(async () => {
    api = await openApi({
      folders: [`${data}/blocks/mainnet-genesis-0001`],
      only: ['-1_8000000000000000_1.boc', '-1_8000000000000000_2.boc', '-1_8000000000000000_3.boc'],
    });
  });
  afterAll(() => api.close());

  describe('errors', () => {
    it.each([
      ['/api/v3/nothing', 404, 'Cannot GET /api/v3/nothing'],
      ['/api/v3/transactions?limit=1001', 422, 'limit is not allowed: 1001 > 1000'],
      ['/api/v3/topAccountsByBalance?limit=1025', 422, 'limit is not allowed: 1025 > 1024'],
      ['/api/v3/transactions?sort=up', 422, 'wrong value for sort parameter'],
      ['/api/v3/messages?direction=up', 422, 'direction should be in or out'],
      [
        '/api/v3/transactions?hash=abc',
        422,
        'failed to decode: schema: error converting value for index 0 of "hash"',
      ],
      ['/api/v3/transactions?mc_seqno=4', 404, 'masterchain block 4 not found'],
      ['/api/v3/transactionsByMasterchainBlock', 404, 'masterchain block 0 not found'],
      ['/api/v3/adjacentTransactions', 422, 'hash parameter is required'],
      ['/api/v3/transactions/%zz', 400, expect.stringContaining('%zz')],
    ])('%s', async (url, status, error) => {
      const reply = await api.get(url);
      expect([reply.status, reply.json]).toEqual([status, { code: status, error }]);
    });

    it('405 names the methods that are allowed', async () => {
      const reply = await api.app.inject({ method: 'POST', url: '/api/v3/transactions', payload: {} });
      expect([reply.statusCode, reply.json()]).toEqual([405, { code: 405, error: 'Method Not Allowed' }]);
      expect(reply.headers.allow).toContain('GET');
    });

    it('a query beyond its time limit is cut off with an error', async () => {
      const client = {
        ...api.store.client,
        queryBytes: (_sql: string, options: Parameters<typeof api.store.client.queryBytes>[1]) =>
          api.store.client.queryBytes('SELECT sleepEachRow(1) FROM numbers(5) FORMAT RowBinary', {
            ...options,
            params: {},
            settings: { max_block_size: 1 },
          }),
      };
      const app = await buildServer({
        ...api.store.context,
        client: client as typeof api.store.client,
      });
      const reply = await app.inject({ url: '/api/v3/transactions?x_timeout=300' });
      expect([reply.statusCode, reply.json()]).toEqual([
        500,
        { code: 500, error: 'internal server error: the query took longer than its time limit' },
      ]);
      expect(api.store.logged.length).toBeGreaterThan(0);
      api.store.logged.length = 0;
      await app.close();
    });
  });

  describe('headers', () => {
    it('have the contract’s version, the time taken and the age of the index', async () => {
      const reply = await api.get('/api/v3/masterchainInfo');
      const { last } = reply.json as { last: { gen_utime: string } };
      expect(reply.headers).toMatchObject({
        'x-api-version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
        'server-timing': expect.stringMatching(/^app;dur=\d+\.\d+ms$/),
        'x-tonhouse-mc-seqno': '3',
        'x-tonhouse-mc-utime': last.gen_utime,
        'content-type': 'application/json; charset=utf-8',
      });
      const lag = Number(reply.headers['x-tonhouse-lag-seconds']);
      expect(lag).toBeGreaterThan(Date.now() / 1000 - Number(last.gen_utime) - 10);
    });

    it('follow the head', async () => {
      api.store.show({ first: 1, last: 2 });
      expect((await api.get('/api/v3/blocks')).headers['x-tonhouse-mc-seqno']).toBe('2');
      api.store.show({ first: 1, last: 3 });
      expect((await api.get('/api/v3/blocks')).headers['x-tonhouse-mc-seqno']).toBe('3');
    });

    it('come with errors too', async () => {
      const { headers } = await api.get('/api/v3/transactions?sort=up');
      expect(headers['x-tonhouse-mc-seqno']).toBe('3');
      expect(headers['x-api-version']).toBeDefined();
    });
  });

  describe('switches', () => {
    it('leave the address book empty but there', async () => {
      for (const url of [
        '/api/v3/transactions?X_No_Address_Book=1',
        '/api/v3/messages?x_no_address_book=true',
      ]) {
        expect((await api.get(url)).json).toMatchObject({ address_book: {} });
      }
      const reply = await api.app.inject({
        url: '/api/v3/transactions',
        headers: { 'X-No-Address-Book': 'true' },
      });
      expect(reply.json()).toMatchObject({ address_book: {} });
      const { address_book } = (await api.get('/api/v3/transactions')).json as { address_book: object };
      expect(Object.keys(address_book).length).toBeGreaterThan(0);
    });
  });

  describe('health', () => {
    it('is machine-readable', async () => {
      expect((await api.get('/healthcheck')).text).toBe('OK');
      const reply = await api.get('/healthz');
      expect([reply.status, reply.json]).toEqual([
        200,
        {
          status: 'ok',
          network: 'serve_test',
          database: api.store.database,
          visible: { first: 1, last: 3 },
          head: { seqno: 3, utime: expect.any(Number) },
          lag_seconds: expect.any(Number),
          projections: {
            base: {
              state: 'served',
              version: 1,
              database: api.store.database,
              visible: { first: 1, last: 3 },
              steps_behind: 0,
            },
            activity: { state: 'off', steps_behind: 0 },
            contracts: { state: 'off', steps_behind: 0 },
            detections: { state: 'off', steps_behind: 0 },
            traces: { state: 'off', steps_behind: 0 },
            actions: { state: 'off', steps_behind: 0 },
            lake: { state: 'off', steps_behind: 0 },
          },
          dead_letters: 0,
        },
      ]);
    });

    it.each([
      ['/readyz', 200, 'ok'],
      [
        '/readyz?verbose',
        200,
        'ok\nbase: ok\nactivity: the projection activity is off on this server\ncontracts: the projection contracts is off on this server\ndetections: the projection detections is off on this server\ntraces: the projection traces is off on this server\nactions: the projection actions is off on this server\nlake: the projection lake is off on this server',
      ],
      ['/readyz/base', 200, 'ok'],
      ['/readyz/activity', 503, 'the projection activity is off on this server'],
    ])('%s', async (url, status, text) => {
      const reply = await api.get(url);
      expect([reply.status, reply.text]).toEqual([status, text]);
      expect(reply.headers['retry-after']).toBe(status === 503 ? '5' : undefined);
    });
  });

  it('answers in the words of the contract outside of its APIs, too', async () => {
    for (const path of ['/nothing', '/api', '/api/v4/blocks'])
      expect(await api.get(path)).toMatchObject({
        status: 404,
        json: { code: 404, error: `Cannot GET ${path}` },
      });
    const wrong = await api.app.inject({ method: 'PUT', url: '/integrity' });
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(wrong.json()).toEqual({ code: 405, error: 'Method Not Allowed' });
  });

  describe('documents', () => {
    it('leads to the page of v3', async () => {
      const root = await api.get('/');
      expect([root.status, root.headers.location]).toEqual([301, '/api/v3/index.html']);
    });

    it.each(['v2', 'v3'])('describes %s, and shows it with files that are there', async (version) => {
      const { json } = await api.get(`/api/${version}/openapi.json`);
      const document = json as {
        openapi: string;
        paths: Record<string, object>;
        security: object;
        components: { securitySchemes: object };
      };
      expect(document.openapi).toMatch(/^3\./);
      const paths = Object.keys(document.paths);
      expect(paths.every((path) => path.startsWith(`/api/${version}/`))).toBe(true);
      expect(paths.length).toBeGreaterThan(10);
      // So that requests of the page have the key that was typed there.
      expect(document.security).toEqual([{}, { header: [] }, { query: [] }]);
      expect(document.components.securitySchemes).toMatchObject({
        header: { in: 'header', name: 'X-Api-Key' },
        query: { in: 'query', name: 'api_key' },
      });
      const page = await api.get(`/api/${version}/index.html`);
      expect(page.headers['content-type']).toContain('text/html');
      const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
      expect(files.length).toBeGreaterThan(3);
      for (const file of files) expect([file, (await api.get(file)).status]).toEqual([file, 200]);
    });

    it.each(['v3', 'emulate'])(
      'has the description of %s at the path of the real servers, too',
      async (name) => {
        const [doc, described] = await Promise.all(
          ['doc.json', 'openapi.json'].map((file) => api.get(`/api/${name}/${file}`)),
        );
        expect(doc!.status).toBe(200);
        expect(doc!.headers['content-type']).toContain('application/json');
        expect(doc!.json).toEqual(described!.json);
      },
    );

    it('lists every parameter of /transactions', async () => {
      const { json } = await api.get('/api/v3/openapi.json');
      const { paths } = json as {
        paths: Record<string, { get: { parameters: { name: string; in: string }[] } }>;
      };
      const names = paths['/api/v3/transactions']?.get.parameters.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining([
          'workchain',
          'account',
          'exclude_account',
          'hash',
          'limit',
          'sort',
          'x_timeout',
        ]),
      );
    });
  });

  describe('queries an answer', () => {
    it.each([
      ['/api/v3/masterchainInfo', 1],
      ['/api/v3/masterchainBlockShards?seqno=2', 1],
      ['/api/v3/masterchainBlockShardState?seqno=2', 1],
      ['/api/v3/blocks', 1],
      ['/api/v3/transactions', 2],
      ['/api/v3/transactions?mc_seqno=2', 3],
      ['/api/v3/transactions?start_utime=1', 3],
      ['/api/v3/transactionsByMasterchainBlock?seqno=2', 3],
      ['/api/v3/transactionsByMessage?opcode=0x00048656&direction=out', 4],
      // Only externals, all ties: windows of hashes that grow, up to the whole for few of them.
      ['/api/v3/messages', 5],
      [`/api/v3/addressBook?address=-1:${'3'.repeat(64)}`, 1],
      // Two of them are only a server's first: the newest block, and the suspended accounts of its key block.
      [`/api/v3/accountStates?address=-1:${'3'.repeat(64)}`, 4],
      ['/api/v3/topAccountsByBalance', 1],
    ])('%s: %i', async (url, most) => {
      const { client } = api.store.context;
      let count = 0;
      const counting = {
        ...client,
        queryRows: ((sql, options) => {
          if (options.route !== 'serve/head-clock') count++;
          return client.queryRows(sql, options);
        }) as typeof client.queryRows,
        queryBytes: ((sql, options) => {
          count++;
          return client.queryBytes(sql, options);
        }) as typeof client.queryBytes,
      };
      const app = await buildServer({ ...api.store.context, client: counting });
      const reply = await app.inject({ url });
      expect([reply.statusCode, count]).toEqual([200, most]);
      await app.close();
    });
  });

  it('masterchainInfo is not ready while only the zerostate is indexed', async () => {
    api.store.show({ first: 0, last: 0 });
    const reply = await api.app.inject({ url: '/api/v3/masterchainInfo' });
    api.store.show({ first: 1, last: 3 });
    expect([reply.statusCode, reply.json()]).toMatchObject([503, { error: 'no blocks indexed yet' }]);
  });

  describe('while nothing is indexed', () => {
    const NOT_READY = { code: 503, error: 'no blocks indexed yet' };
    beforeAll(() => api.store.show(null));
    afterAll(() => api.store.show({ first: 1, last: 3 }));

    it.each([
      ['/api/v3/masterchainInfo', 503, NOT_READY],
      ['/api/v3/blocks', 503, NOT_READY],
      ['/api/v3/transactions', 503, NOT_READY],
      ['/api/v3/messages', 503, NOT_READY],
      ['/api/v3/masterchainBlockShards?seqno=1', 503, NOT_READY],
      ['/api/v3/topAccountsByBalance', 503, NOT_READY],
      [`/api/v3/accountStates?address=-1:${'3'.repeat(64)}`, 503, NOT_READY],
    ])('%s', async (url, status, body) => {
      const reply = await api.get(url);
      expect([reply.status, reply.json]).toEqual([status, body]);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    });

    it('healthz reports it', async () => {
      expect((await api.get('/healthz')).json).toMatchObject({
        status: 'nothing indexed yet',
        visible: null,
        head: null,
        lag_seconds: null,
      });
    });
  });

  it('listens, takes long addresses, and closes after the answers under way', async () => {
    const { client } = api.store.context;
    const asked = Promise.withResolvers<void>();
    const telling = {
      ...client,
      queryBytes: ((sql, options) => {
        if (options.route === 'v3/transactions') asked.resolve();
        return client.queryBytes(sql, options);
      }) as typeof client.queryBytes,
    };
    const context = { ...api.store.context, client: telling };
    const serving = await startServing(context, { host: '127.0.0.1', port: 0 });
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const addresses = Array.from({ length: 1000 }, (_, i) => `address=0:${i.toString(16).padStart(64, '0')}`);
    const long = await fetch(`${serving.url}/api/v3/addressBook?${addresses.join('&')}`);
    expect(long.status).toBe(200);
    expect(Object.keys((await long.json()) as object).length).toBe(1000);
    const running = fetch(`${serving.url}/api/v3/transactions?limit=1000`);
    await asked.promise;
    await serving.close();
    expect((await running).status).toBe(200);
    await expect(fetch(`${serving.url}/healthcheck`)).rejects.toThrow();
  });
});
