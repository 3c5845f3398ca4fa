import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { busyAddresses } from './streams.ts';

const LASTS_MS = 20_000;
const SHORT_MS = 3_000;
/** Bytes that a receiver may have sent before it is cut off: as many as the system takes at once. */
const MAX_SENT = 16 * 1024 ** 2;
const PART = Buffer.alloc(64 * 1024, 'x');

/** Webhooks at private addresses, and receivers that answer without end, not at all, or with the address of another. */
export const webhookReceivers: Attack = {
  name: 'hostile receivers of webhooks',
  holds:
    'no private address is connected to unless it is allowed, no redirect is followed, and no answer is read to its end',
  async run(context) {
    const { server, must, send } = context;
    const seen = { private: 0, endless: 0, silent: 0, moved: 0, sent: 0 };
    const victim = await listen((_request, reply) => {
      seen.private++;
      reply.end();
    });
    const endless = await listen((_request, reply) => {
      seen.endless++;
      reply.writeHead(200);
      const more = () => {
        while (!reply.destroyed && reply.write(PART)) seen.sent += PART.length;
      };
      reply.on('drain', more).on('error', () => {});
      more();
    });
    const silent = await listen(() => void seen.silent++);
    const moved = await listen((_request, reply) => {
      seen.moved++;
      reply.writeHead(307, { location: `http://127.0.0.1:${portOf(victim)}/` }).end();
    });
    const ids: string[] = [];
    try {
      const filter = JSON.stringify({
        types: ['account_state_change'],
        addresses: await busyAddresses(send),
      });
      const add = async (url: string, more: readonly string[] = []) => {
        const { stdout, code } = await server.runCommand(['hooks', 'add', url, '--filter', filter, ...more]);
        must(code === 0, `hooks add ${url} ended with ${code}`);
        ids.push(stdout.split(' ')[0]!);
      };
      for (const host of ['127.0.0.1', 'localhost']) await add(`http://${host}:${portOf(victim)}/`);
      for (const one of [endless, silent, moved])
        await add(`http://127.0.0.1:${portOf(one)}/`, ['--allow-private']);
      await untilSeen(() => seen.endless > 0 && seen.silent > 0 && seen.moved > 0);
      await sleep(context.isShort ? SHORT_MS : LASTS_MS);
      must(seen.endless > 0 && seen.silent > 0 && seen.moved > 0, `deliveries: ${JSON.stringify(seen)}`);
      must(seen.private === 0, `${seen.private} connections to a private address`);
      const each = seen.sent / Math.max(1, seen.endless);
      must(each <= MAX_SENT, `${Math.round(each / 1024)} KB of an endless answer were taken`);
    } finally {
      for (const id of ids) await server.runCommand(['hooks', 'remove', id]);
      for (const one of [victim, endless, silent, moved]) {
        one.closeAllConnections();
        one.close();
      }
    }
  },
};

async function listen(answer: RequestListener): Promise<Server> {
  const server = createServer((request, reply) => {
    request.resume();
    answer(request, reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Servers look for new webhooks every two seconds, and the owner of the lease may have to be found first. */
async function untilSeen(isSeen: () => boolean): Promise<void> {
  for (let look = 0; look < 600 && !isSeen(); look++) await sleep(100);
}
