import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CorsChoice } from '../../../../../src/api/cors-choice.ts';
import { buildServer } from '../../../../../src/api/serve-stage.ts';
import { storelessContext } from '../../../../helpers/storeless-context.ts';

/* What no route takes: unknown paths are 404, known ones 405 under another method, with and without CORS. */

const PAGE = 'https://app.example';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const UNKNOWN = [
  '/none',
  '/api',
  '/api/',
  '/api/v3',
  '/api/v3/',
  '/api/v3/none',
  '/api/v3/BLOCKS',
  '/api/v3/blocks/1',
  '/api/v2/none',
  '/api/emulate/none',
  '/api/streaming/v2/none',
  '/api/v3/index.html/none',
  '/metrics',
  '/*',
  '*',
];

describe.each<[string, CorsChoice]>([
  ['without CORS', 'off'],
  ['with --cors *', '*'],
  ['with --cors of a page', [PAGE]],
])('%s', (_name, cors) => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildServer(storelessContext({ cors }));
  });
  afterAll(() => app.close());

  const send = (
    method: (typeof METHODS)[number],
    url: string,
    headers: Record<string, string | undefined> = {},
  ) => {
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
    const body = { headers: { 'content-type': 'application/json', ...headers }, payload: '{}' };
    return app.inject({ method, url, ...(hasBody ? body : { headers }) });
  };

  it.each(UNKNOWN)('%s is 404 under every method', async (url) => {
    for (const method of METHODS) {
      for (const headers of [{}, cors === 'off' ? {} : { origin: PAGE }]) {
        const reply = await send(method, url, headers);
        expect([method, reply.statusCode]).toEqual([method, 404]);
        expect(reply.headers.allow).toBeUndefined();
      }
    }
  });

  it.each([
    ['/', ['PUT', 'POST', 'DELETE', 'OPTIONS'], 'GET, HEAD'],
    ['/healthz', ['POST', 'OPTIONS'], 'GET, HEAD'],
    ['/api/v3/blocks', ['POST', 'OPTIONS'], 'GET, HEAD'],
    ['/api/v3/blocks/?limit=1', ['PATCH'], 'GET, HEAD'],
    ['/api/v3/message', ['GET', 'HEAD', 'OPTIONS'], 'POST'],
    ['/api/v2/getMasterchainInfo', ['HEAD', 'PUT', 'OPTIONS'], 'GET, POST'],
    ['/api/v2/jsonRPC', ['GET', 'OPTIONS'], 'POST'],
    ['/api/streaming/v2/sse', ['GET', 'OPTIONS'], 'POST'],
    ['/api/emulate/v1/emulateTrace', ['GET', 'OPTIONS'], 'POST'],
  ] as const)('%s is 405 under %j', async (url, methods, allow) => {
    for (const method of methods) {
      const reply = await send(method, url);
      expect([reply.statusCode, reply.headers.allow]).toEqual([405, allow]);
    }
  });

  it('a file that a page does not have is 404', async () => {
    for (const api of ['v2', 'v3']) {
      const url = `/api/${api}/index.html/static/none.js`;
      expect((await send('GET', url)).statusCode).toBe(404);
      expect((await send('HEAD', url)).statusCode).toBe(404);
      expect((await send('POST', url)).statusCode).toBe(405);
    }
  });

  it('only pages that CORS lets in get an answer to their preflight', async () => {
    const asked = { origin: PAGE, 'access-control-request-method': 'POST' };
    for (const url of ['/api/v3/runGetMethod', '/api/v3/none', '/']) {
      const { statusCode, headers } = await send('OPTIONS', url, asked);
      if (cors === 'off') expect(statusCode).not.toBe(204);
      else expect([statusCode, headers['access-control-allow-methods']]).toEqual([204, 'GET, HEAD, POST']);
      const allowed = { off: undefined, '*': '*' }[String(cors)];
      expect(headers['access-control-allow-origin']).toBe(typeof cors === 'string' ? allowed : PAGE);
      const other = await send('OPTIONS', url, { ...asked, origin: 'https://other.example' });
      expect(other.headers['access-control-allow-origin']).toBe(cors === '*' ? '*' : undefined);
    }
  });
});
