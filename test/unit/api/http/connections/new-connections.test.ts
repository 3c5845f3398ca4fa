import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../../../../../src/api/http/connections/listeners.ts';
import {
  countConnections,
  takeConnectionsInTurn,
} from '../../../../../src/api/http/connections/new-connections.ts';

const HOST = '127.0.0.1';
const [BUSY, QUIET] = ['127.0.0.2', '127.0.0.3'];
const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];

/** A server that notes who came, and who asked, each in the order in which it met them. */
async function listening(most: number) {
  const app = fastify({ forceCloseConnections: true });
  apps.push(app);
  takeConnectionsInTurn(app, most);
  const open = countConnections(app.server);
  const asked: string[] = [];
  app.get('/', async ({ ip }) => {
    asked.push(ip);
    return 'here';
  });
  const came: string[] = [];
  app.server.on('connection', ({ remoteAddress = '' }: Socket) => came.push(remoteAddress));
  const url = await listen(app, { host: HOST, port: 0 });
  return { app, asked, came, open, port: Number(new URL(url).port) };
}

/** A connection whose request is sent at once; `text` has its answer. */
function ask(port: number, localAddress: string) {
  const socket = connect({ port, host: HOST, localAddress });
  const told = { socket, text: '' };
  sockets.push(socket.on('error', () => {}).on('data', (data) => (told.text += data)));
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return told;
}

/** The system takes the connections meanwhile, and the server none. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !holds(); await sleep(5))
    if (Date.now() > deadline) throw new Error('it did not happen in 10 s');
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app.close();
});

// Elsewhere only 127.0.0.1 is an address of the machine.
describe.runIf(platform() === 'linux')('new connections', () => {
  it('of a client with few connections are served before those of a flood', async () => {
    const { asked, came, port } = await listening(1_000);
    for (let at = 0; at < 300; at++) ask(port, BUSY);
    ask(port, QUIET);
    block(200);
    await until(() => asked.length === 301);
    // In their order it would be read as late as it came.
    expect(asked.indexOf(QUIET)).toBeLessThan(0.75 * came.indexOf(QUIET));
  });

  it('of a flood are closed for others if there are too many', async () => {
    const { port, open } = await listening(200);
    for (let at = 0; at < 200; at++) ask(port, BUSY);
    const quiet = ask(port, QUIET);
    for (let at = 0; at < 100; at++) ask(port, BUSY);
    block(200);
    await until(() => quiet.text.includes('here'));
    expect(quiet.text).toMatch(/^HTTP\/1\.1 200/);
    // Those that have ended are counted a moment longer.
    await until(() => open() <= 200);
  });

  it('that end before their turn are closed, and later ones are answered', async () => {
    const { port, open } = await listening(1_000);
    const leavers = Array.from({ length: 200 }, () => connect({ port, host: HOST, localAddress: BUSY }));
    sockets.push(...leavers.map((socket) => socket.on('error', () => {})));
    const others = Array.from({ length: 20 }, () => ask(port, BUSY));
    await Promise.all(leavers.map((socket) => once(socket, 'connect')));
    for (const socket of leavers) socket.destroy();
    await until(() => others.every(({ text }) => text.includes('here')));
    await until(() => open() === others.length);
  });

  it('that wait do not outlive the server', async () => {
    const { app, open, port } = await listening(1_000);
    for (let at = 0; at < 200; at++) ask(port, BUSY);
    await until(() => open() > 0);
    await app.close();
    await until(() => open() === 0);
  });

  it('that break while they wait do not affect others', async () => {
    const { app, asked, came, port } = await listening(1_000);
    const broken = Array.from({ length: 200 }, () => ask(port, BUSY).socket);
    // By then half of those that came wait.
    app.server.on('connection', () => {
      if (came.length === 100) for (const socket of broken) socket.resetAndDestroy();
    });
    block(200);
    await until(() => came.length >= 100);
    const answer = await fetch(`http://${HOST}:${port}/`);
    expect(await answer.text()).toBe('here');
    expect(asked.length).toBeLessThan(200);
  });
});
