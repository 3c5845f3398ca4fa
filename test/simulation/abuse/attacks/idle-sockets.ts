import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { openSocket } from '../raw-exchange.ts';

/** More than the server takes connections, and a few more than one address may have idle. */
const CONNECTS = 1_500;
const ROUNDS = 5;
const SHORT_ROUNDS = 1;
const MAX_OPEN = 250;
const LOOKS = 160;
const POLL_INTERVAL_MS = 250;

/** Raw connections of one address that send nothing, or an incomplete request. */
export const idleSockets: Attack = {
  name: 'idle connections of one address',
  holds: 'those that wait longest are ended, and others find room at once',
  async run({ route, must, sendAll, isShort }) {
    for (let round = 0; round < (isShort ? SHORT_ROUNDS : ROUNDS); round++) {
      const sockets = Array.from({ length: CONNECTS }, (_, i) => {
        const socket = openSocket(route);
        if (i % 3 === 1) socket.write('GET /healthz HT');
        if (i % 3 === 2)
          socket.write('POST /api/v2/jsonRPC HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n');
        return socket;
      });
      const left = await openAfter(sockets);
      must(left <= MAX_OPEN, `${left} of ${CONNECTS} idle connections of one address stay open`);
      const answers = await sendAll([{ path: '/healthcheck' }], 1);
      must(answers[0]?.status === 200, `beside them a request gets ${answers[0]?.status}`);
      for (const socket of sockets) socket.destroy();
    }
  },
};

/**
 * Sockets that are still open once the server had time to end those that are too many. Those that it has not taken yet
 * are no connections: a full queue makes the kernel try again after 1, 3, 7 and 15 seconds.
 */
async function openAfter(sockets: readonly Socket[]): Promise<number> {
  const open = () => sockets.filter((socket) => !socket.destroyed).length;
  const isOver = () => open() <= MAX_OPEN && sockets.every(({ connecting }) => !connecting);
  for (let look = 0; look < LOOKS && !isOver(); look++) {
    for (const socket of sockets) socket.resume();
    await sleep(POLL_INTERVAL_MS);
  }
  return open();
}
