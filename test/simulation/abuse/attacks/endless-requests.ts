import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { drip, openSocket } from '../raw-exchange.ts';

/** The time limit of a request is 30 s; Node looks for such connections now and then. */
const MAX_MS = 45_000;
const DRIP_MS = 1_000;

/** A head, a body and chunks that go on byte by byte for longer than a request may take. */
export const endlessRequests: Attack = {
  name: 'endless requests',
  isLong: true,
  holds: 'the server ends each of them within 45 s',
  async run({ server, route, must }) {
    const host = `Host: ${server.host}:${server.port}\r\n`;
    const post = `POST /api/v3/runGetMethod HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
    const starts: Record<string, string> = {
      head: 'GET /api/v3/masterchainInfo HTTP/1.1\r\nX-Drip: ',
      body: `${post}Content-Length: 200000\r\n\r\n`,
      chunks: `${post}Transfer-Encoding: chunked\r\n\r\n`,
    };
    const begun = performance.now();
    const ends = Object.entries(starts).map(async ([kind, start]) => {
      const socket = openSocket(route);
      socket.resume().write(start);
      const stopDrip = drip([socket], DRIP_MS, kind === 'chunks' ? '1\r\na\r\n' : 'a');
      const closed = new Promise<true>((resolve) => socket.on('close', () => resolve(true)));
      const ended = await Promise.race([closed, sleep(MAX_MS, false)]);
      stopDrip();
      socket.destroy();
      must(ended, `a ${kind} without end was still taken after ${Math.round(performance.now() - begun)} ms`);
    });
    await Promise.all(ends);
  },
};
