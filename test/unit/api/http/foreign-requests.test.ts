import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { isLoopback } from '../../../../src/api/http/foreign-requests.ts';
import type { ServeSettings } from '../../../../src/api/serve-context.ts';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';

let app: FastifyInstance | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

async function serve(settings: Partial<ServeSettings> = {}, host = '127.0.0.1'): Promise<void> {
  app = await buildServer(storelessContext(settings), { host });
}

const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';
const GET = `/api/v2/packAddress?address=${RAW}`;
const FORM = 'application/x-www-form-urlencoded';

const get = (headers: Record<string, string>) => app!.inject({ url: GET, headers });
const post = (headers: Record<string, string | undefined>, method = 'packAddress', url = '/api/v2/jsonRPC') =>
  app!.inject({
    method: 'POST',
    url,
    payload: JSON.stringify({
      id: '1',
      jsonrpc: '2.0',
      method,
      params: { address: RAW, boc: 'AAAA' },
      boc: 'AAAA',
    }),
    headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
  });

describe('the name that a request calls the server by', () => {
  it.each(['localhost', 'localhost:8080', 'LOCALHOST.', '127.0.0.1:80', '127.8.9.1', '[::1]:8080', '[::1]'])(
    '%s is known on loopback',
    async (host) => {
      await serve();
      expect((await get({ host })).statusCode).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example:127.0.0.1',
    '10.0.0.1',
    '[::2]',
  ])('%s is foreign on loopback', async (host) => {
    await serve();
    const error = 'the server is not called by this name: see --allowed-host';
    const v2 = await get({ host });
    expect([v2.statusCode, v2.json()]).toMatchObject([403, { ok: false, code: 403, error }]);
    const v3 = await app!.inject({ url: '/api/v3/blocks', headers: { host } });
    expect([v3.statusCode, v3.json()]).toEqual([403, { code: 403, error }]);
    expect((await app!.inject({ url: '/healthz', headers: { host } })).statusCode).toBe(403);
  });

  it('may be named by a setting', async () => {
    await serve({ allowedHost: ['api.Example.org'] });
    expect((await get({ host: 'API.example.org:443' })).statusCode).toBe(200);
    expect((await get({ host: 'localhost' })).statusCode).toBe(200);
    expect((await get({ host: 'other.example.org' })).statusCode).toBe(403);
  });

  it('is anything if the server listens on other addresses, unless names are set', async () => {
    await serve({}, '0.0.0.0');
    expect((await get({ host: 'any.example' })).statusCode).toBe(200);
    await app?.close();
    await serve({ allowedHost: ['api.example.org'] }, '0.0.0.0');
    expect((await get({ host: 'any.example' })).statusCode).toBe(403);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.0.1', false],
  ])('listening on %s is loopback: %s', (host, is) => {
    expect(isLoopback(host)).toBe(is);
  });
});

it('is called by one name in a request', async () => {
  await serve();
  const { port } = new URL(await app!.listen({ host: '127.0.0.1', port: 0 }));
  const answer = (headers: readonly string[]) =>
    new Promise<string>((resolve) => {
      const parts: Buffer[] = [];
      const socket = connect({ host: '127.0.0.1', port: Number(port) });
      socket
        .on('data', (part: Buffer) => parts.push(part))
        .on('close', () => resolve(Buffer.concat(parts).toString()));
      socket.write(`GET ${GET} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    });
  expect(await answer(['Host: localhost'])).toMatch(/^HTTP\/1.1 200/);
  expect(await answer(['Host: localhost', 'hOST: evil.example'])).toMatch(/^HTTP\/1.1 400.*one Host/s);
});

describe('POST from a web page', () => {
  const own = { host: 'localhost:8080', origin: 'http://localhost:8080' };
  const foreign = { host: 'localhost:8080', origin: 'https://evil.example' };

  it('is taken from the own origin and refused from others', async () => {
    await serve();
    expect((await post(own)).statusCode).toBe(200);
    for (const origin of ['https://evil.example', 'http://localhost:9090', 'null', 'junk']) {
      const reply = await post({ ...foreign, origin });
      expect([reply.statusCode, reply.json()]).toMatchObject([403, { ok: false, code: 403, jsonrpc: '2.0' }]);
    }
    const v3 = await post(foreign, '', '/api/v3/message');
    expect([v3.statusCode, v3.json()]).toEqual([
      403,
      { code: 403, error: 'this origin may not post: see --cors' },
    ]);
    // Reading it is what the browser refuses: no header lets it.
    const read = await get(foreign);
    expect([read.statusCode, read.headers['access-control-allow-origin']]).toEqual([200, undefined]);
  });

  it.each(['text/plain', 'text/plain;charset=UTF-8', 'multipart/form-data; boundary=x', 'application/xml'])(
    'of type %s is refused, from programs too',
    async (type) => {
      await serve();
      for (const headers of [{}, own]) {
        expect((await post({ ...headers, 'content-type': type })).statusCode).toBe(415);
        const v3 = await post({ ...headers, 'content-type': type }, '', '/api/v3/message');
        expect([v3.statusCode, v3.json().code]).toEqual([422, 422]);
      }
    },
  );

  it.each([undefined, FORM])('of type %s is taken from programs only', async (type) => {
    await serve();
    expect((await post({ 'content-type': type })).statusCode).toBe(200);
    expect((await post({ ...own, 'content-type': type })).statusCode).toBe(415);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'application/vnd.api+json'])(
    'of type %s is taken',
    async (type) => {
      await serve();
      expect((await post({ ...own, 'content-type': type })).statusCode).toBe(200);
    },
  );
});

describe('CORS', () => {
  const page = { host: 'localhost', origin: 'https://app.example' };
  const preflight = () =>
    app!.inject({
      method: 'OPTIONS',
      url: '/api/v2/jsonRPC',
      headers: {
        ...page,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });

  it('is off by default', async () => {
    await serve();
    const reply = await preflight();
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    expect(reply.statusCode).toBe(405);
  });

  it('lets any page read, by GET and POST, and send nothing', async () => {
    await serve({ cors: '*' });
    expect((await preflight()).headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST',
    });
    expect((await get(page)).headers['access-control-allow-origin']).toBe('*');
    const read = await post(page);
    expect([read.statusCode, read.headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect((await app!.inject({ url: '/api/v3/none', headers: page })).headers).toMatchObject({
      'access-control-allow-origin': '*',
    });
    for (const method of ['sendBoc', 'sendBocReturnHash', 'sendQuery']) {
      expect((await post(page, method)).statusCode).toBe(403);
      expect((await post(page, '', `/api/v2/${method}`)).statusCode).toBe(403);
    }
    expect((await post(page, '', '/api/v3/message')).statusCode).toBe(403);
    // From no page, or from the own one, messages are accepted (here: no chain takes them).
    expect((await post({}, 'sendBoc')).statusCode).not.toBe(403);
    expect((await post({ host: 'localhost', origin: 'http://localhost' }, 'sendBoc')).statusCode).not.toBe(
      403,
    );
  });

  it('lets named pages do everything, and no others', async () => {
    await serve({ cors: ['https://app.example'] });
    expect((await preflight()).headers['access-control-allow-origin']).toBe('https://app.example');
    expect((await post(page)).statusCode).toBe(200);
    expect((await post(page, 'sendBoc')).statusCode).not.toBe(403);
    const other = { ...page, origin: 'https://other.example' };
    expect((await post(other)).statusCode).toBe(403);
    expect((await get(other)).headers['access-control-allow-origin']).toBeUndefined();
  });
});
