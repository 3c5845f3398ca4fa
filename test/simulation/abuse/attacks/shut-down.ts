import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackReport } from '../attack-run.ts';
import { drip, openSocket } from '../raw-exchange.ts';
import type { World } from '../world.ts';

/** Five seconds for what is left, and the store's own orderly end. */
const MAX_MS = 20_000;
const DRIP_MS = 200;

/**
 * The last attack: clients that never finish hold their connections while the process is asked to stop. It ends within
 * its bound, with 0, and its directory can be started from again.
 */
export const shutDown = {
  name: 'shut down amid unfinished requests',
  async run(world: World): Promise<AttackReport> {
    const { server, attackRoute: route } = world;
    const problems: string[] = [];
    const before = await world.watch.take();
    const logBefore = server.logBytes;
    const host = `Host: ${server.host}:${server.port}\r\n`;
    const sockets = Array.from({ length: 60 }, () => openSocket(route));
    for (const [at, socket] of sockets.entries()) socket.write(openings(host)[at % openings(host).length]!);
    const stopDrip = drip(sockets, DRIP_MS);
    await sleep(1_000);
    const begun = performance.now();
    server.signal('SIGTERM');
    const exit = await Promise.race([server.exited, sleep(MAX_MS)]);
    const ms = Math.round(performance.now() - begun);
    stopDrip();
    for (const socket of sockets) socket.destroy();
    if (!exit)
      problems.push(`the process was still there ${MAX_MS} ms after SIGTERM: ${server.words.slice(-600)}`);
    else if (exit.code !== 0)
      problems.push(`it ended with ${exit.code ?? exit.signal}: ${server.words.slice(-300)}`);
    const logBytes = server.logBytes - logBefore;
    await server.end();
    try {
      await world.restart();
    } catch (error) {
      problems.push(`it could not be started again: ${error}`);
    }
    return {
      ...before,
      name: shutDown.name,
      requests: sockets.length,
      statuses: { [`ended after ${(ms / 1000).toFixed(1)} s`]: 1 },
      seconds: Math.round((performance.now() - begun) / 1000),
      logBytes,
      problems,
      isOutage: false,
      isLost: false,
    };
  },
};

/** Bytes that unfinished clients have sent: none, half of a head, half of a body, a chunk without an end. */
function openings(host: string): string[] {
  const post = 'POST /api/v3/runGetMethod HTTP/1.1\r\nContent-Type: application/json\r\n';
  return [
    '',
    'GET /api/v3/masterchainInfo HTTP/1.1\r\nX-Drip: ',
    `${post}${host}Content-Length: 100000\r\n\r\n{"address":"`,
    `${post}${host}Transfer-Encoding: chunked\r\n\r\n5\r\n`,
    `GET /api/v3/transactions?limit=1000 HTTP/1.1\r\n${host}\r\n`,
  ];
}
