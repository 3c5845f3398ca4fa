import { once } from 'node:events';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Route } from '../../http-call.ts';

/** Opens a WebSocket whose frames the attacker writes by hand. Null if the server refuses it. */
export async function openUpgraded({ host, port }: Route, path: string): Promise<Duplex | null> {
  const asked = request({
    host,
    port,
    path,
    agent: false,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    },
  });
  asked.on('error', () => {});
  asked.end();
  const opened = once(asked, 'upgrade').then(([, socket]) => socket as Duplex);
  const refused = once(asked, 'response').then(() => null);
  const socket = await Promise.race([opened, refused]).catch(() => null);
  opened.catch(() => {});
  refused.catch(() => {});
  socket?.on('error', () => socket.destroy());
  return socket;
}
