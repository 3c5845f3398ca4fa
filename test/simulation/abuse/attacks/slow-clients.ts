import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { drip, openSocket } from '../raw-exchange.ts';

const LASTS_MS = 10_000;
const SHORT_MS = 2_500;
const DRIP_MS = 500;
const EACH = 100;
const IDLE = 300;

/** Connections that cost their clients nothing: idle ones, endless headers and bodies, unread answers. */
export const slowClients: Attack = {
  name: 'slow clients',
  holds: 'honest clients are answered meanwhile',
  async run({ server, route, raw, isShort }) {
    const host = `Host: ${server.host}:${server.port}\r\n`;
    const post = `POST /api/v3/runGetMethod HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
    const open = (count: number, start: string) =>
      Array.from({ length: count }, () => {
        const socket = openSocket(route);
        socket.write(start);
        return socket;
      });
    const drips = [
      ...open(EACH, 'GET /api/v3/masterchainInfo HTTP/1.1\r\nX-Drip: '),
      ...open(EACH, `${post}Content-Length: 200000\r\n\r\n{"address":"`),
    ];
    const readers = open(EACH, `GET /api/v3/transactions?limit=1000 HTTP/1.1\r\n${host}\r\n`.repeat(20));
    // Paused from the start: data for them stays in the server or the system.
    for (const socket of readers) socket.pause();
    const idle = open(IDLE, '');
    const stopDrip = drip(drips, DRIP_MS);
    await sleep(isShort ? SHORT_MS : LASTS_MS);
    stopDrip();
    for (const socket of [...drips, ...readers, ...idle]) socket.destroy();
    await raw(`GET /api/v3/masterchainInfo HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 5_000);
  },
  bounds: { honestServed: 0.3 },
};
