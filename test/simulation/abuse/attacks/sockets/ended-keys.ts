import { setTimeout as sleep } from 'node:timers/promises';
import { clientFrame, FINAL, TEXT } from '../../../../helpers/client-frames.ts';
import type { Attack } from '../../attack.ts';
import { callHttp } from '../../http-call.ts';
import { withKeyedServer } from './keyed-server.ts';
import { openUpgraded } from './open-upgraded.ts';

const STREAMS = 20;
/** The server ends streams within 2 s of the revocation; a busy machine needs longer. */
const ENDS_MS = 8_000;
const REASON = 'the API key was revoked or has expired';

/** Streams whose key is revoked, and which subscribe again and again. */
export const endedKeys: Attack = {
  name: 'keys that end while their streams are open',
  holds: 'streams of a revoked key end, subscribe to nothing more, and others are not opened',
  run: (context) =>
    withKeyedServer(
      context,
      { rate: 0, settings: ['--stream-connections', 'off'] },
      async ({ route, path, key, keyId }) => {
        const { server, accounts, must } = context;
        const subscription = { types: ['account_state_change'], addresses: [accounts.wallet] };
        const body = JSON.stringify(subscription);
        const subscribe = clientFrame(
          FINAL | TEXT,
          JSON.stringify({ operation: 'subscribe', ...subscription }),
        );
        const post = () =>
          callHttp(route, {
            path: '/api/streaming/v2/sse',
            body,
            headers: { 'content-type': 'application/json', 'x-api-key': key },
            leaveAfterMs: 120_000,
          });
        const events = Array.from({ length: STREAMS }, post);
        const texts: string[] = [];
        const sockets = await Promise.all(
          Array.from({ length: STREAMS }, async (_, at) => {
            const socket = await openUpgraded(route, path);
            texts[at] = '';
            socket?.on('data', (part: Buffer) => {
              texts[at] += part.toString('latin1');
            });
            socket?.write(subscribe);
            return socket;
          }),
        );
        const isSubscribed = () => texts.every((text) => text.includes('"subscribed"'));
        for (const deadline = Date.now() + ENDS_MS; !isSubscribed() && Date.now() < deadline; )
          await sleep(100);
        must(isSubscribed(), 'sockets of a valid key do not subscribe');
        const { code } = await server.runCommand(['keys', 'revoke', keyId]);
        must(code === 0, `keys revoke ended with ${code}`);
        const isOver = () => texts.every((text) => text.includes(REASON));
        for (const deadline = Date.now() + ENDS_MS; !isOver() && Date.now() < deadline; ) {
          for (const socket of sockets) if (socket?.writable) socket.write(subscribe);
          await sleep(200);
        }
        const left = texts.filter((text) => !text.includes(REASON)).length;
        must(left === 0, `${left} of ${STREAMS} sockets of a revoked key stay open`);
        const late = texts.filter((text) => text.lastIndexOf('"subscribed"') > text.indexOf(REASON)).length;
        must(late === 0, `${late} sockets subscribed after their key was revoked`);
        for (const outcome of await Promise.all(events))
          must(
            outcome.text.includes(REASON),
            `a stream of a revoked key: ${outcome.failure ?? outcome.status}`,
          );
        must((await post()).status === 401, 'a revoked key opens a stream');
        must((await openUpgraded(route, path)) === null, 'a revoked key opens a socket');
        for (const socket of sockets) socket?.destroy();
      },
    ),
};
