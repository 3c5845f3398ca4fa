/* Streams end with their key: revoked, expired, or gone. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApiKey } from '../../../../src/api/keys/api-key.ts';
import { keyOf, startLimited } from '../../../helpers/limited-server.ts';
import { openSocket, openSse } from '../../../helpers/stream-client.ts';

const REASON = 'the API key was revoked or has expired';
const SUBSCRIPTION = { types: ['account_state_change'], addresses: [`0:${'0'.repeat(64)}`] };
const POLL = { timeout: 60_000 };

const CHANGES: [string, (key: ApiKey) => ApiKey | null][] = [
  ['revoked', (key) => ({ ...key, isRevoked: true })],
  ['expired', (key) => ({ ...key, expiresAt: 2 })],
  ['removed', () => null],
];

describe.each(CHANGES)('a key that is %s while its streams are open', (_name, change) => {
  it('ends them, and opens no others', async () => {
    const [ended, other] = [keyOf(), keyOf()];
    const keys = [ended.key, other.key];
    const { url } = await startLimited(keys, { settings: { streamConnections: null } });
    const headers = { 'x-api-key': ended.text };
    const sse = await openSse(url, SUBSCRIPTION, headers);
    const [socket, quiet] = [
      await openSocket(url, `?api_key=${ended.text}`),
      await openSocket(url, `?api_key=${ended.text}`),
    ];
    socket.send({ operation: 'subscribe', ...SUBSCRIPTION });
    await socket.until(({ status }) => status === 'subscribed');
    const stays = await openSocket(url, `?api_key=${other.text}`);
    const changed = change(ended.key);
    keys.splice(0, 1, ...(changed ? [changed] : []));
    for (const { closed, frames } of [socket, quiet]) {
      expect(await closed).toMatchObject({ code: 1008, reason: REASON });
      expect(frames.at(-1)).toEqual({ error: REASON });
    }
    await sse.ended;
    expect(sse.received.at(-1)).toMatchObject({ event: 'error', data: { error: REASON } });
    expect((await openSse(url, SUBSCRIPTION, headers)).status).toBe(401);
    await expect(openSocket(url, `?api_key=${ended.text}`)).rejects.toThrow();
    stays.send({ operation: 'ping' });
    expect(await stays.until(() => true)).toEqual({ status: 'pong' });
  });
});

it('a stream ends when its key expires, though the key does not change', async () => {
  const { key, text } = keyOf({ expiresAt: Math.ceil(Date.now() / 1_000) + 3 });
  const { url } = await startLimited([key]);
  const socket = await openSocket(url, `?api_key=${text}`);
  expect(await socket.closed).toMatchObject({ code: 1008, reason: REASON });
  expect(Date.now()).toBeGreaterThanOrEqual(key.expiresAt! * 1_000);
});

it('a subscription whose body arrives after its key was revoked is refused', async () => {
  const { key, text } = keyOf();
  const keys = [key];
  const { url, ring } = await startLimited(keys);
  const body = JSON.stringify(SUBSCRIPTION);
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.write(
    `POST /api/streaming/v2/sse HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${text}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  const [interim] = (await once(client, 'data')) as [Buffer];
  expect(String(interim)).toMatch(/^HTTP\/1.1 100 /);
  keys[0] = { ...key, isRevoked: true };
  await expect.poll(() => ring.renew(key, 0), POLL).toBeNull();
  client.write(body);
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
});
