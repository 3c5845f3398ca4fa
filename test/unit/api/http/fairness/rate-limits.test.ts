import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiKey, newKey } from '../../../../../src/api/keys/api-key.ts';
import { KeyRing } from '../../../../../src/api/keys/key-ring.ts';
import type { ServeSettings } from '../../../../../src/api/serve-context.ts';
import { buildServer, startServing } from '../../../../../src/api/serve-stage.ts';
import { storelessContext } from '../../../../helpers/storeless-context.ts';

/* Limits of clients by key and by address (errors-and-limits.md 3 and 4), on what is answered without a store. */

const V2 = `/api/v2/detectHash?hash=${'a'.repeat(64)}`;
const V3 = '/api/v3/masterchainInfo';
/** More requests than any limit here, in a burst that no second is too short for. */
const BURST = 12;

let app: FastifyInstance;
const rings: KeyRing[] = [];
afterEach(async () => {
  await app.close();
  for (const ring of rings.splice(0)) ring.close();
});

async function serve(settings: Partial<ServeSettings>, keys: readonly ApiKey[] = []): Promise<void> {
  const ring = new KeyRing({ network: 'test', read: async () => keys, log: { warn: () => {} } });
  await ring.start();
  rings.push(ring);
  app = await buildServer({ ...storelessContext(settings), keys: ring });
}

function keyOf(
  facts: Partial<ApiKey> = {},
  network = 'test',
): { readonly text: string; readonly key: ApiKey } {
  const { id, hash, text } = newKey(network);
  const key = { id, hash, name: 'a', requestsPerSecond: 5, createdAt: 1, expiresAt: null, isRevoked: false };
  return { text, key: { ...key, ...facts } };
}

const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '10.0.0.1') =>
  app.inject({ url, headers, remoteAddress });

async function statuses(ask: (i: number) => Promise<{ statusCode: number }>): Promise<number[]> {
  return (await Promise.all(Array.from({ length: BURST }, (_, i) => ask(i)))).map((one) => one.statusCode);
}
const refused = (found: readonly number[]) => found.filter((status) => status === 429).length;

describe('a client without a key', () => {
  it('is answered so often in a second, in the words of each generation', async () => {
    await serve({ keylessLimit: 1 });
    const replies = await Promise.all(Array.from({ length: BURST }, () => get(V2)));
    const over = replies.filter((reply) => reply.statusCode === 429);
    expect(over.length).toBeGreaterThan(0);
    expect(over[0]?.json()).toEqual({
      ok: false,
      code: 429,
      error: 'Ratelimit exceeded',
      '@extra': expect.any(String),
    });
    expect(Number(over[0]?.headers['retry-after'])).toBe(1);
    const v3 = (await Promise.all(Array.from({ length: BURST }, () => get(V3)))).find(
      (reply) => reply.statusCode === 429,
    );
    expect(v3?.json()).toEqual({ code: 429, error: 'Ratelimit exceeded' });
    expect(v3?.headers['retry-after']).toBe('1');
    const stream = { method: 'POST', url: '/api/streaming/v2/sse', payload: '{}' } as const;
    const refusal = (await Promise.all(Array.from({ length: BURST }, () => app.inject(stream)))).find(
      (reply) => reply.statusCode === 429,
    );
    expect(refusal?.json()).toEqual({ code: 429, error: 'Ratelimit exceeded' });
    expect(refusal?.headers['retry-after']).toBe('1');
  });

  it('shares its limit with no other address, but with its IPv6 neighbours', async () => {
    await serve({ keylessLimit: 1 });
    expect(refused(await statuses((i) => get(V2, {}, `10.0.1.${i}`)))).toBe(0);
    expect(refused(await statuses((i) => get(V2, {}, `2001:db8::${i + 1}`)))).toBeGreaterThan(0);
  });

  it('is not limited on health, metrics and pages of the API, nor if no limit is set', async () => {
    await serve({ keylessLimit: 1 });
    const documents = ['/api/v3/openapi.json', '/api/v3/doc.json', '/api/v2/openapi.json'];
    for (const url of ['/healthcheck', '/api/v3/index.html', ...documents])
      expect(refused(await statuses(() => get(url)))).toBe(0);
    await app.close();
    await serve({ keylessLimit: null });
    expect(refused(await statuses(() => get(V2)))).toBe(0);
  });

  it('is named by a trusted proxy, and by no other', async () => {
    await serve({ keylessLimit: 1, trustedProxy: ['10.0.0.0/8'] });
    const through = (proxy: string) => (i: number) => get(V2, { 'x-forwarded-for': `1.1.1.${i}` }, proxy);
    expect(refused(await statuses(through('10.0.0.1')))).toBe(0);
    expect(refused(await statuses(through('192.0.2.1')))).toBeGreaterThan(0);
  });
});

it.each([
  ['0.0.0.0', null, ['anybody may call without a limit: see --keyless-limit']],
  ['0.0.0.0', 1, []],
  ['127.0.0.1', null, []],
] as const)('a server on %s with a limit of %s warns: %j', async (host, keylessLimit, wanted) => {
  const warned: string[] = [];
  const log = { info: () => {}, warn: (_facts: object, text: string) => warned.push(text), error: () => {} };
  const serving = await startServing({ ...storelessContext({ keylessLimit }), log }, { host, port: 0 });
  app = serving.app;
  expect(warned).toEqual(wanted);
});

describe('a key', () => {
  it.each([
    ['X-API-Key', (text: string) => get(V2, { 'X-API-Key': text })],
    ['x-api-key', (text: string) => get(V2, { 'x-api-key': text })],
    ['api_key', (text: string) => get(`${V2}&api_key=${text}`)],
    ['API_KEY', (text: string) => get(`${V2}&API_KEY=${text}`)],
  ])('sent as %s has a limit of its own', async (_name, ask) => {
    const { text, key } = keyOf({ requestsPerSecond: 100 });
    await serve({ keylessLimit: 1 }, [key]);
    expect(refused(await statuses(() => ask(text)))).toBe(0);
  });

  it('is limited by its own rate from any address; 0 is without a limit', async () => {
    const slow = keyOf({ requestsPerSecond: 2 });
    const free = keyOf({ requestsPerSecond: 0 });
    await serve({ keylessLimit: 1 }, [slow.key, free.key]);
    expect(
      refused(await statuses((i) => get(V2, { 'X-API-Key': slow.text }, `10.0.2.${i}`))),
    ).toBeGreaterThan(0);
    expect(refused(await statuses(() => get(V2, { 'X-API-Key': free.text })))).toBe(0);
  });

  it.each([
    ['of nobody', keyOf(), []],
    ['of another text', { ...keyOf(), text: 'mine' }, []],
    ['that was revoked', keyOf({ isRevoked: true }), ['known']],
    ['that has expired', keyOf({ expiresAt: 2 }), ['known']],
  ])('%s is 401', async (_name, { text, key }, known) => {
    await serve({ keylessLimit: 1 }, known.length > 0 ? [key] : []);
    const reply = await get(V2, { 'X-API-Key': text });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      401,
      { ok: false, error: 'API key does not exist' },
    ]);
    expect((await get(V3, { 'X-API-Key': text })).json()).toEqual({
      code: 401,
      error: 'API key does not exist',
    });
  });

  it('with a known id and another secret is 401; one of another network 403', async () => {
    const { text, key } = keyOf();
    await serve({ keylessLimit: 1 }, [key]);
    const forged = `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;
    expect((await get(V2, { 'X-API-Key': forged })).statusCode).toBe(401);
    const foreign = await get(V3, { 'X-API-Key': keyOf({}, 'other').text });
    expect([foreign.statusCode, foreign.json()]).toEqual([403, { code: 403, error: 'Network not allowed' }]);
  });

  it('is not checked if no limits are set', async () => {
    await serve({ keylessLimit: null });
    expect((await get(V2, { 'X-API-Key': 'anything' })).statusCode).toBe(200);
  });
});
