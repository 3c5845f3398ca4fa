/*
 * Messages of WebSockets count against the rate of their client. The clock of the counts does not move: a second never
 * ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ApiKey } from '../../../../src/api/keys/api-key.ts';
import { SharedCounts } from '../../../../src/platform/counts/shared-counts.ts';
import { keyOf, startLimited } from '../../../helpers/limited-server.ts';
import { openSocket, type SocketClient } from '../../../helpers/stream-client.ts';

const RATE = 5;
const PONG = { status: 'pong' };
const REFUSAL = { error: 'Ratelimit exceeded' };

function openCounts(directory = mkdtempSync(join(tmpdir(), 'tonhouse-stream-rates-'))): SharedCounts {
  const counts = new SharedCounts({
    path: join(directory, 'rates.sqlite'),
    windowMs: 1_000,
    mostNames: 100,
    onError: (error) => {
      throw error;
    },
    now: () => 1_700_000_000_000,
  });
  onTestFinished(() => {
    counts.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return counts;
}

const start = (key: ApiKey, counts = openCounts()) =>
  startLimited([key], { counts, settings: { streamConnections: null } });

/** Sends so many pings. Returns the replies. */
async function ping({ send, frames }: SocketClient, count: number): Promise<unknown[]> {
  const before = frames.length;
  for (let i = 0; i < count; i++) send({ operation: 'ping' });
  await expect.poll(() => frames.length, { timeout: 60_000 }).toBe(before + count);
  return frames.slice(before);
}

const repeat = (reply: unknown, count: number) => Array.from({ length: count }, () => reply);

it('an upgrade and its first message count once, and each further message once', async () => {
  const { key, text } = keyOf({ requestsPerSecond: RATE });
  const { url } = await start(key);
  const socket = await openSocket(url, `?api_key=${text}`);
  expect(await ping(socket, 10)).toEqual([...repeat(PONG, RATE), ...repeat(REFUSAL, 10 - RATE)]);
});

it('messages, requests and all connections of a client are counted together', async () => {
  const { key, text } = keyOf({ requestsPerSecond: RATE });
  const { url } = await start(key);
  const [first, second] = [
    await openSocket(url, `?api_key=${text}`),
    await openSocket(url, `?api_key=${text}`),
  ];
  expect(await ping(first, 3)).toEqual(repeat(PONG, 3));
  const request = () => fetch(`${url}/api/v2/detectHash?hash=${'a'.repeat(64)}&api_key=${text}`);
  expect((await request()).status).toBe(200);
  expect((await request()).status).toBe(429);
  expect(await ping(second, 2)).toEqual([PONG, REFUSAL]);
  expect(await ping(first, 1)).toEqual([REFUSAL]);
});

it('messages to two servers of one data directory are counted together', async () => {
  const { key, text } = keyOf({ requestsPerSecond: RATE });
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-stream-rates-'));
  const [first, second] = [await start(key, openCounts(directory)), await start(key, openCounts(directory))];
  expect(await ping(await openSocket(first.url, `?api_key=${text}`), 3)).toEqual(repeat(PONG, 3));
  expect(await ping(await openSocket(second.url, `?api_key=${text}`), 3)).toEqual([PONG, PONG, REFUSAL]);
});

it('a refused message changes nothing, and a short one is answered with its id', async () => {
  const { key, text } = keyOf({ requestsPerSecond: 1 });
  const { url } = await start(key);
  const socket = await openSocket(url, `?api_key=${text}`);
  await ping(socket, 1);
  const subscribe = { operation: 'subscribe', types: ['account_state_change'], addresses: [address(1)] };
  socket.send({ ...subscribe, id: 'short' });
  socket.send({ ...subscribe, id: 'long', note: 'x'.repeat(2_000) });
  socket.send('{');
  await expect.poll(() => socket.frames.length, { timeout: 60_000 }).toBe(4);
  expect(socket.frames.slice(1)).toEqual([{ id: 'short', ...REFUSAL }, REFUSAL, REFUSAL]);
});

it('the rate of a key that changes counts for connections that are open', async () => {
  const { key, text } = keyOf({ requestsPerSecond: RATE });
  const keys = [key];
  const { url, ring } = await startLimited(keys, { counts: openCounts() });
  const socket = await openSocket(url, `?api_key=${text}`);
  expect(await ping(socket, 6)).toEqual([...repeat(PONG, RATE), REFUSAL]);
  keys[0] = { ...key, requestsPerSecond: 8 };
  await expect.poll(() => ring.renew(key, 0)?.requestsPerSecond, { timeout: 60_000 }).toBe(8);
  expect(await ping(socket, 3)).toEqual([PONG, PONG, REFUSAL]);
});

it('a key without a limit may send as many as a connection may have', async () => {
  const { key, text } = keyOf({ requestsPerSecond: 0 });
  const { url } = await start(key);
  const socket = await openSocket(url, `?api_key=${text}`);
  expect(await ping(socket, 15)).toEqual(repeat(PONG, 15));
});

const address = (number: number) => `0:${number.toString(16).padStart(64, '0')}`;
