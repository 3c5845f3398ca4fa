import { setTimeout as sleep } from 'node:timers/promises';
import { CONTINUATION, clientFrame, FINAL, PING, PONG, TEXT } from '../../../../helpers/client-frames.ts';
import { residentMegabytes } from '../../../common/resident-memory.ts';
import type { Attack } from '../../attack.ts';
import { withKeyedServer } from './keyed-server.ts';
import { openUpgraded } from './open-upgraded.ts';

const CONNECTIONS = 200;
const FRAGMENTS = 16_000;
const GROWTH_MB = 150;
/** The server gives a message 10 s, and 5 s to read why the connection ends. */
const ENDS_MS = 60_000;

/** Ways to begin a message that never ends. */
const BEGINNINGS: readonly (() => Buffer)[] = [
  () => begin(clientFrame(CONTINUATION, 'x')),
  () => begin(clientFrame(CONTINUATION)),
  () => begin(Buffer.concat([clientFrame(CONTINUATION, 'x'), clientFrame(FINAL | PING, 'x'.repeat(125))])),
  () => begin(Buffer.concat([clientFrame(FINAL | PONG), clientFrame(CONTINUATION, 'x')])),
  () => clientFrame(TEXT, 'x'.repeat(60_000)),
  () => clientFrame(FINAL | TEXT, 'x'.repeat(60_000), 64_000),
];

function begin(fragment: Buffer): Buffer {
  return Buffer.concat([clientFrame(TEXT, '{'), ...Array.from({ length: FRAGMENTS }, () => fragment)]);
}

/** Messages in thousands of fragments, and others, that are never complete. */
export const unfinishedMessages: Attack = {
  name: 'unfinished messages',
  holds: 'the number of fragments and the time of a message have bounds, and little memory is held meanwhile',
  run: (context) =>
    withKeyedServer(
      context,
      { rate: 0, settings: ['--stream-connections', 'off'] },
      async ({ server, route, path }) => {
        const { must } = context;
        const warm = await openUpgraded(route, path);
        must(warm !== null, 'no connection was opened');
        const before = residentMegabytes(server.pid) ?? 0;
        const sockets = await Promise.all(
          Array.from({ length: CONNECTIONS }, async (_, at) => {
            const socket = await openUpgraded(route, path);
            socket?.resume();
            socket?.write(BEGINNINGS[at % BEGINNINGS.length]!());
            return socket;
          }),
        );
        await sleep(2_000);
        const growth = (residentMegabytes(server.pid) ?? 0) - before;
        must(growth <= GROWTH_MB, `unfinished messages hold ${growth} MB`);
        const open = () => sockets.filter((socket) => socket && !socket.destroyed);
        for (const deadline = Date.now() + ENDS_MS; open().length > 0 && Date.now() < deadline; ) {
          // A client that goes on slowly, and one that only sends pings between fragments.
          for (const [at, socket] of open().entries())
            socket!.write(at % 2 ? clientFrame(FINAL | PING) : clientFrame(CONTINUATION));
          await sleep(1_000);
        }
        must(open().length === 0, `${open().length} connections with an unfinished message stay open`);
        for (const socket of [...sockets, warm]) socket?.destroy();
      },
    ),
};
