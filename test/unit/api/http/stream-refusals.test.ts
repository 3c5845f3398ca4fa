import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { newKey } from '../../../../src/api/keys/api-key.ts';
import { KeyRing } from '../../../../src/api/keys/key-ring.ts';
import type { ServeSettings } from '../../../../src/api/serve-context.ts';
import { type Serving, startServing } from '../../../../src/api/serve-stage.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';

/* Streams that are refused before they begin, and connections that are no streams, over real sockets. */

let serving: Serving | null = null;
let keys: KeyRing | null = null;
afterEach(async () => {
  await serving?.close();
  keys?.close();
  serving = null;
  keys = null;
});

/** A server whose only key is answered. */
async function serve(settings: Partial<ServeSettings> = {}): Promise<string> {
  const { id, hash, text } = newKey('test');
  const facts = { name: 'x', requestsPerSecond: 0, createdAt: 0, expiresAt: null, isRevoked: false };
  keys = new KeyRing({ network: 'test', read: async () => [{ ...facts, id, hash }], log: { warn() {} } });
  await keys.start();
  serving = await startServing({ ...storelessContext(settings), keys }, { host: '127.0.0.1', port: 0 });
  return text;
}

/** The raw answer to a request. The server itself closes a socket after a refused WebSocket. */
async function answerTo(path: string, headers: Record<string, string>): Promise<string> {
  const socket = connect(Number(new URL(serving!.url).port), '127.0.0.1');
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let text = '';
  const ended = once(socket, 'close');
  await new Promise<void>((resolve) => {
    socket.on('data', (part) => {
      text += part;
      if (isComplete(text)) resolve();
    });
    socket.on('close', () => resolve());
  });
  if (headers.Upgrade === 'websocket' && path === WS && !isUpgraded(text)) await ended;
  socket.destroy();
  return text;
}

function isComplete(text: string): boolean {
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  const body = text.indexOf('\r\n\r\n');
  return isUpgraded(text) || (length !== undefined && body >= 0 && text.length - body - 4 >= Number(length));
}

const isUpgraded = (text: string) => text.startsWith('HTTP/1.1 101');
const WS = '/api/streaming/v2/ws';
const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};
const statusOf = (answer: string) => Number(answer.split(' ', 2)[1]);

async function sse(headers: Record<string, string> = {}) {
  const reply = await fetch(`${serving!.url}/api/streaming/v2/sse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ types: ['actions'], addresses: [`0:${'0'.repeat(64)}`] }),
  });
  return { status: reply.status, body: (await reply.json()) as unknown };
}

describe('streams', () => {
  it('wait for the index', async () => {
    await serve();
    const reply = await sse();
    expect(reply).toEqual({ status: 503, body: { error: 'no blocks indexed yet' } });
    const health = await fetch(`${serving!.url}/api/streaming/healthz`);
    expect(health.status).toBe(503);
    expect(health.headers.get('retry-after')).toBe('5');
    expect(await health.json()).toMatchObject({ ok: false, components: {} });
  });

  it('need a key where limits are kept, and one of this network', async () => {
    const key = await serve({ keylessLimit: 1_000 });
    const foreign = newKey('other').text;
    expect((await sse()).status).toBe(401);
    expect((await sse({ 'x-api-key': newKey('test').text })).status).toBe(401);
    expect((await sse({ 'x-api-key': foreign })).status).toBe(403);
    expect((await sse({ 'x-api-key': key })).status).toBe(503);
    expect(statusOf(await answerTo(WS, UPGRADE))).toBe(401);
    expect(statusOf(await answerTo(`${WS}?api_key=${foreign}`, UPGRADE))).toBe(403);
    expect(statusOf(await answerTo(`${WS}?api_key=${key}`, UPGRADE))).toBe(101);
  });

  it('are not opened by pages of other origins', async () => {
    await serve();
    const page = { ...UPGRADE, Origin: 'https://elsewhere.example' };
    expect(statusOf(await answerTo(WS, page))).toBe(403);
    expect(statusOf(await answerTo(WS, { ...UPGRADE, Host: 'elsewhere.example' }))).toBe(403);
    expect(statusOf(await answerTo(WS, { ...UPGRADE, Origin: 'http://localhost' }))).toBe(101);
  });

  it('are the only upgrade: a request for another protocol or path is answered as without it', async () => {
    await serve();
    const h2c = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABk' };
    for (const path of ['/healthcheck', '/api/v2/healthcheck'])
      expect(statusOf(await answerTo(path, h2c))).toBe(200);
    expect(statusOf(await answerTo('/healthcheck', UPGRADE))).toBe(200);
    expect(statusOf(await answerTo(WS, h2c))).toBe(426);
  });
});
