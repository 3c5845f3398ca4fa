import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMetricsServer } from '../../../../src/api/metrics-server.ts';
import { type Serving, startServing } from '../../../../src/api/serve-stage.ts';
import { Metrics } from '../../../../src/platform/observability/metrics/metrics.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';

/* Headers that every answer has, as they arrive on a socket. */

let serving: Serving;
let metrics: Awaited<ReturnType<typeof startMetricsServer>>;
beforeAll(async () => {
  serving = await startServing(storelessContext({ cors: '*', keylessLimit: null }), {
    host: '127.0.0.1',
    port: 0,
    limits: { requestMs: 300 },
  });
  metrics = await startMetricsServer(new Metrics(), { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await serving.close();
  await metrics.close();
});

const HOST = 'Host: localhost\r\n';
const SOCKET = `${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n`;
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** Sends the bytes; the head of the answer, in lower case. */
async function head(request: string, url = serving.url): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  socket.write(request);
  let text = '';
  for await (const part of socket.setEncoding('latin1')) {
    text += part;
    if (text.includes('\r\n\r\n')) break;
  }
  if (!socket.closed) await once(socket.destroy(), 'close');
  return text.split('\r\n\r\n', 1)[0]!.toLowerCase();
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;

describe('every answer is taken as the type it has, and shown in no frame', () => {
  it.each<[string, number, string]>([
    ['the redirect of /', 301, get('/')],
    ['an unknown path', 404, get('/none')],
    ['an unknown path of v2', 404, get('/api/v2/none')],
    ['an unknown path of v3', 404, get('/api/v3/none')],
    ['an unknown path of the streaming API', 404, get('/api/streaming/none')],
    ['HEAD of an unknown path', 404, `HEAD /none HTTP/1.1\r\n${HOST}\r\n`],
    ['another method', 405, `PUT /api/v3/blocks HTTP/1.1\r\n${HOST}\r\n`],
    ['OPTIONS without a page', 404, `OPTIONS /none HTTP/1.1\r\n${HOST}\r\n`],
    [
      'a preflight',
      204,
      `OPTIONS /api/v3/blocks HTTP/1.1\r\n${HOST}Origin: http://a.example\r\nAccess-Control-Request-Method: GET\r\n\r\n`,
    ],
    ['an answer', 200, get(`/api/v2/detectHash?hash=${'a'.repeat(64)}`)],
    ['a refused parameter of v3', 422, get('/api/v3/blocks?limit=x')],
    ['a store that is away', 503, get('/api/v3/blocks')],
    ['health', 503, get('/healthz')],
    ['an OpenAPI document', 200, get('/api/v3/openapi.json')],
    ['a page', 200, get('/api/v3/index.html')],
    ['a page of v2', 200, get('/api/v2/index.html')],
    ['a script of a page', 200, get('/api/v3/index.html/static/swagger-ui-bundle.js')],
    ['an unknown file of a page', 404, get('/api/v3/index.html/static/none')],
    ['a foreign name', 403, 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
    ['an address that is not encoded rightly', 400, get('/%zz')],
    ['an address of v2 that is not encoded rightly', 400, get('/api/v2/%zz')],
    ['a request without a host', 400, 'GET / HTTP/1.1\r\n\r\n'],
    ['an expectation', 417, get('/', 'Expect: a\r\n')],
    [
      'a stream without its body',
      400,
      `POST /api/streaming/v2/sse HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`,
    ],
    ['no upgrade', 426, get('/api/streaming/v2/ws')],
    [
      'an upgrade from a foreign name',
      403,
      `GET /api/streaming/v2/ws HTTP/1.1\r\n${SOCKET.replace('localhost', 'evil.example')}${KEY}Sec-WebSocket-Version: 13\r\n\r\n`,
    ],
    [
      'an upgrade',
      101,
      `GET /api/streaming/v2/ws HTTP/1.1\r\n${SOCKET}${KEY}Sec-WebSocket-Version: 13\r\n\r\n`,
    ],
    [
      'an upgrade with a bad key',
      400,
      `GET /api/streaming/v2/ws HTTP/1.1\r\n${SOCKET}Sec-WebSocket-Key: x\r\n\r\n`,
    ],
    [
      'an upgrade of another version',
      400,
      `GET /api/streaming/v2/ws HTTP/1.1\r\n${SOCKET}${KEY}Sec-WebSocket-Version: 99\r\n\r\n`,
    ],
    ['bytes that are no request', 400, 'nonsense\r\n\r\n'],
    ['headers that are too long', 431, `GET / HTTP/1.1\r\nA: ${'a'.repeat(140_000)}\r\n\r\n`],
    ['a request that does not end', 408, `GET / HTTP/1.1\r\n${HOST}`],
  ])('%s: %i', async (_name, status, request) => {
    const found = await head(request);
    expect(found).toContain(`http/1.1 ${status} `);
    expect(found).toContain('\r\nx-content-type-options: nosniff');
    expect(found).toContain('\r\nx-frame-options: deny');
    expect(found).toMatch(/\r\ncontent-security-policy: default-src 'none';[^\r]*frame-ancestors 'none'/);
    expect(found.split('x-content-type-options')).toHaveLength(2);
  });

  it('also of the server of metrics', async () => {
    for (const path of ['/metrics', '/none']) {
      expect(await head(get(path), metrics.url)).toContain('\r\nx-content-type-options: nosniff');
    }
  });

  it('pages run scripts of the server only, and answers none', async () => {
    expect(await head(get('/api/v3/index.html'))).toContain("script-src 'self';");
    expect(await head(get('/api/v3/index.html'))).not.toContain('unsafe-eval');
    expect(await head(get('/api/v3/openapi.json'))).not.toContain('script-src');
  });
});
