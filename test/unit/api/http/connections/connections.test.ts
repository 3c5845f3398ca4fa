import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectionLimits } from '../../../../../src/api/http/connections/connection-limits.ts';
import { countConnections } from '../../../../../src/api/http/connections/new-connections.ts';
import { MAX_PIPELINED } from '../../../../../src/api/http/connections/pipelined-requests.ts';
import type { ServeSettings } from '../../../../../src/api/serve-context.ts';
import { type Serving, startServing } from '../../../../../src/api/serve-stage.ts';
import { storelessContext } from '../../../../helpers/storeless-context.ts';

/* Limits of connections: time for a request, for an answer to be read, their number, and the time of the close. */

let serving: Serving | null = null;
let connections: () => number;
const sockets: Socket[] = [];
const drips: NodeJS.Timeout[] = [];
afterEach(async () => {
  for (const drip of drips.splice(0)) clearInterval(drip);
  for (const socket of sockets.splice(0)) socket.destroy();
  await serving?.close();
  serving = null;
});

/** A wait that takes milliseconds on a quiet machine. */
const WAIT = { timeout: 60_000 };

async function serve(
  limits: Partial<ConnectionLimits>,
  settings: Partial<ServeSettings> = {},
): Promise<void> {
  serving = await startServing(storelessContext(settings), { host: '127.0.0.1', port: 0, limits });
  connections = countConnections(serving.app.server);
}

interface Client {
  readonly socket: Socket;
  /** Text that came so far. */
  received(): string;
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<void>;
}

function open(text: string): Client {
  const socket = connect(Number(new URL(serving!.url).port), '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(text);
  return { socket, received: () => received, ended };
}

/** A POST whose body comes byte by byte and never ends. */
function dripping(): Client {
  const client = open(
    'POST /api/v2/jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n',
  );
  drips.push(setInterval(() => client.socket.write('{'), 50));
  return client;
}

/** Longer than any test may take: the limit at hand is the one that ends the connection. */
const LONG_MS = 3_600_000;

const ASK = 'GET /healthcheck HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('connections of one address that wait for a request', () => {
  const idling = (count: number) => Array.from({ length: count }, () => open(''));
  const isOpen = async (client: Client) => {
    client.socket.write(ASK);
    await expect.poll(() => client.received(), WAIT).toContain('200 OK');
  };

  it('are bounded: the one that waits longest ends, and a newcomer is answered', async () => {
    await serve({}, { idleConnections: 3 });
    const [first, second, ...others] = idling(3);
    await Promise.all([first, ...others, second].map((client) => once(client!.socket, 'connect')));
    const begun = open('GET /healthcheck HT');
    const newest = dripping();
    await Promise.race([first?.ended, second?.ended]);
    await isOpen(open(''));
    newest.socket.destroy();
    begun.socket.destroy();
  });

  it('do not count while they are answered, and count again after the answer', async () => {
    await serve({}, { idleConnections: 1 });
    const kept = open(ASK);
    await expect.poll(() => kept.received(), WAIT).toContain('200 OK');
    const next = open('');
    await kept.ended;
    await isOpen(next);
  });

  it('have no bound behind a trusted proxy, nor where none is set', async () => {
    for (const settings of [
      { idleConnections: 1, trustedProxy: ['127.0.0.0/8'] },
      { idleConnections: 1, trustedProxy: ['10.0.0.1', '127.0.0.1', 'fd00::/8'] },
      { idleConnections: null },
    ]) {
      await serve({}, settings);
      const clients = idling(4);
      await Promise.all(clients.map(({ socket }) => once(socket, 'connect')));
      for (const client of clients) await isOpen(client);
      await serving?.close();
      serving = null;
    }
  });
});

describe('a request', () => {
  it('waits for those that its connection sent before it, and is refused where too many do', async () => {
    await serve({});
    const client = open(ASK.repeat(500));
    const statuses = () => [...client.received().matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    await expect.poll(() => statuses().length, WAIT).toBe(500);
    expect(new Set(statuses())).toEqual(new Set(['200', '503']));
  });

  it('must arrive within its time, its body included', async () => {
    await serve({ requestMs: 400, silentMs: LONG_MS });
    const client = dripping();
    await client.ended;
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(client.received()).toContain('{"ok":false,"code":408,"error":"Request Timeout"}');
  });

  it('must arrive within its time, its headers included', async () => {
    await serve({ requestMs: 400, silentMs: LONG_MS });
    const client = open('GET /healthcheck HTTP/1.1\r\nHost: local');
    await client.ended;
  });

  it('may have an address of a thousand accounts, and not four times as much', async () => {
    await serve({});
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, i) => `address=0%3A${`${i}`.padStart(64, '0')}`).join('&');
    const ask = (count: number) => fetch(`${serving!.url}/healthcheck?${addresses(count)}`);
    expect((await ask(1024)).status).toBe(200);
    const refused = await ask(4096);
    expect([refused.status, await refused.json()]).toEqual([
      431,
      { ok: false, code: 431, error: 'Request Header Fields Too Large' },
    ]);
  });
});

describe('connections', () => {
  it('are bounded in number', async () => {
    await serve({ maxConnections: 2 });
    const [one, two] = [open(ASK), open(ASK)];
    await expect.poll(() => [one.received(), two.received()].every((text) => text.includes('OK'))).toBe(true);
    const third = open(ASK);
    await third.ended;
    expect(third.received()).toBe('');
    one.socket.destroy();
    await expect
      .poll(async () => (await fetch(`${serving!.url}/healthcheck`).catch(() => null))?.status)
      .toBe(200);
  });

  it('end where nothing is asked for a while', async () => {
    await serve({ idleMs: 200, silentMs: LONG_MS });
    const client = open(ASK);
    await client.ended;
    expect(client.received()).toContain('OK');
  });

  /** Asks for much, as often as a connection may ask ahead, and reads nothing of it: each answer has 100 KB and more. */
  function deaf(): Client {
    const ask = 'GET /api/v3/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const client = open(ask.repeat(MAX_PIPELINED));
    client.socket.pause();
    return client;
  }

  it('end if a long answer is not read', async () => {
    await serve({ readMs: 300, minBytesPerSecond: 1_000_000, silentMs: LONG_MS });
    const opened = once(serving!.app.server, 'connection');
    deaf();
    await opened;
    await expect.poll(connections, { timeout: 60_000 }).toBe(0);
  });

  it('end where too much is unread, the slowest first', async () => {
    const settledMs = 8_000;
    await serve({ maxUnsentBytes: 200_000, settledMs, readMs: LONG_MS, silentMs: LONG_MS });
    deaf();
    await new Promise((resolve) => setTimeout(resolve, settledMs + 500));
    expect(connections()).toBe(1);
    const other = deaf();
    await expect.poll(connections, { timeout: 60_000 }).toBe(1);
    expect(other.socket.destroyed).toBe(false);
  });
});

describe('the close', () => {
  it('does not wait for a body that never ends', async () => {
    await serve({ closeMs: 500, requestMs: 300_000, silentMs: LONG_MS });
    const client = dripping();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await serving!.close();
    await client.ended;
  });

  it('takes no longer than it must', async () => {
    await serve({ closeMs: LONG_MS, idleMs: LONG_MS, silentMs: LONG_MS });
    const client = open(ASK);
    await expect.poll(() => client.received().includes('OK')).toBe(true);
    await serving!.close();
  });
});
