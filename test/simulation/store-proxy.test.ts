import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreProxy } from './chaos/store-proxy.ts';

const HOLD_MS = 60;

describe('StoreProxy', () => {
  /** A store that answers with what it was asked. */
  let echo: Server;
  let proxy: StoreProxy;
  let asked: string[];
  const clients: Socket[] = [];

  beforeEach(async () => {
    asked = [];
    echo = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        asked.push(String(bytes));
        socket.write(bytes);
      });
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await StoreProxy.start((echo.address() as AddressInfo).port);
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await proxy.stop();
    echo.close();
  });

  /** A connection, what came back on it, and how it ended. */
  function open() {
    const client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    clients.push(client);
    const got = { text: '', end: null as string | null };
    client.on('data', (bytes) => {
      got.text += String(bytes);
    });
    client.on('error', (error) => {
      got.end = 'code' in error ? String(error.code) : error.message;
    });
    client.on('close', () => {
      got.end ??= 'end';
    });
    return { client, got };
  }

  const until = async (look: () => boolean) => {
    while (!look()) await sleep(2);
  };

  it('passes bytes both ways', async () => {
    const { client, got } = open();
    client.write('a');
    await until(() => got.text === 'a');
    expect(got.end).toBeNull();
  });

  it('cut: resets what is open, and what is opened', async () => {
    const before = open();
    before.client.write('a');
    await until(() => before.got.text === 'a');
    proxy.set('cut');
    const after = open();
    await until(() => before.got.end !== null && after.got.end !== null);
    expect([before.got.end, after.got.end]).toEqual(['ECONNRESET', 'ECONNRESET']);
    proxy.set('open');
    const again = open();
    again.client.write('b');
    await until(() => again.got.text === 'b');
  });

  it('held: nothing passes until it is open again, then everything does', async () => {
    const { client, got } = open();
    await once(client, 'connect');
    proxy.set('held');
    client.write('a');
    await sleep(HOLD_MS);
    expect(asked).toEqual([]);
    proxy.set('open');
    await until(() => got.text === 'a');
  });

  it('deaf: the store hears, its answer is lost, and the connection is reset at the end', async () => {
    const { client, got } = open();
    await once(client, 'connect');
    proxy.set('deaf');
    client.write('a');
    await until(() => asked.length === 1);
    await sleep(HOLD_MS);
    expect(got).toEqual({ text: '', end: null });
    proxy.set('open');
    await until(() => got.end !== null);
    expect(got).toEqual({ text: '', end: 'ECONNRESET' });
  });

  it('half-open: the store hears nothing any more, the caller sees nothing of it until the end', async () => {
    const { client, got } = open();
    client.write('a');
    await until(() => got.text === 'a');
    proxy.set('half-open');
    client.write('b');
    await sleep(HOLD_MS);
    expect(asked).toEqual(['a']);
    expect(got.end).toBeNull();
    proxy.set('open');
    await until(() => got.end !== null);
    expect(got.end).toBe('ECONNRESET');
  });

  it('slow: answers come later', async () => {
    proxy.delayMs = HOLD_MS;
    const { client, got } = open();
    await once(client, 'connect');
    const since = performance.now();
    client.write('a');
    await until(() => got.text === 'a');
    expect(performance.now() - since).toBeGreaterThanOrEqual(HOLD_MS - 5);
  });
});
