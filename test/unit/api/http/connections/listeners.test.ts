import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { LISTENERS, listen } from '../../../../../src/api/http/connections/listeners.ts';
import {
  countConnections,
  takeConnectionsInTurn,
} from '../../../../../src/api/http/connections/new-connections.ts';

const HOST = '127.0.0.1';
const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];

async function listening(maxConnections = 1_000) {
  const app = fastify({ forceCloseConnections: 'idle' });
  apps.push(app);
  takeConnectionsInTurn(app, maxConnections);
  const open = countConnections(app.server);
  app.get('/', async () => 'here');
  const url = await listen(app, { host: HOST, port: 0 });
  return { app, open, url, port: Number(new URL(url).port) };
}

/** Connections that the system has taken, whether the server has or not. */
function connectMany(port: number, count: number): Promise<Socket[]> {
  const opened = Array.from({ length: count }, () => connect(port, HOST).on('error', () => {}));
  sockets.push(...opened);
  return Promise.all(opened.map((socket) => once(socket, 'connect').then(() => socket)));
}

async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !holds(); await turn())
    if (Date.now() > deadline) throw new Error('it did not happen in 10 s');
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app.close();
});

describe('the sockets that a server listens with', () => {
  it.runIf(platform() === 'linux')('accept many connections in a turn of the event loop', async () => {
    const { open, port } = await listening();
    const count = 20 * LISTENERS;
    for (let at = 0; at < count; at++) sockets.push(connect(port, HOST).on('error', () => {}));
    // The system has taken all of them when a blocked loop comes back.
    const busyUntil = performance.now() + 200;
    while (performance.now() < busyUntil);
    let turns = 0;
    for (; open() < count && turns < count; turns++) await turn();
    expect(open()).toBe(count);
    // One socket would need as many turns as there are connections.
    expect(turns).toBeLessThan(count / 2);
  });

  it('are one server to the limit of connections', async () => {
    const { open, port } = await listening(40);
    const first = await connectMany(port, 100);
    await until(
      () => first.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length >= 60,
    );
    expect(open()).toBe(40);
    for (const socket of first) socket.destroy();
    await until(() => open() === 0);
    const second = await connectMany(port, 40);
    await until(() => open() === 40);
    expect(second.some(({ destroyed }) => destroyed)).toBe(false);
  });

  it('share their port with no other server', async () => {
    const { port } = await listening();
    const second = fastify();
    apps.push(second);
    await expect(listen(second, { host: HOST, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('are all closed with the server, after the answers under way', async () => {
    const { app, url, port, open } = await listening();
    const agent = new Agent({ keepAlive: true });
    const ask = () =>
      new Promise<number>((resolve, reject) =>
        get(url, { agent }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode!))).on(
          'error',
          reject,
        ),
      );
    expect(await Promise.all(Array.from({ length: 40 }, ask))).toEqual(Array(40).fill(200));
    expect(open()).toBeGreaterThan(LISTENERS);
    await app.close();
    agent.destroy();
    const [refused] = await once(connect(port, HOST), 'error');
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
