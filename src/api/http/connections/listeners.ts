import { once } from 'node:events';
import { createServer, type Server as Listener, type Socket } from 'node:net';
import { platform } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { freePort } from './listen-address.ts';

/**
 * Listening sockets. Node accepts one connection of each per turn of its event loop. With a single one, a flood of
 * connections fills the system's queue, and dropped clients retry after 1, 3 and 7 seconds. Only Linux spreads
 * connections over sockets of one port.
 */
export const LISTENERS = platform() === 'linux' ? 16 : 1;
/** Connections that wait to be accepted, for each socket, if the system allows. */
const BACKLOG = 4_096;
/** Options that an HTTP server of Node has its sockets with. */
const LIKE_HTTP = { allowHalfOpen: true, noDelay: true };

/** Address of a server. */
interface SharedAddress {
  readonly host: string;
  readonly port: number;
  /** Other processes of this server listen on the port, too. */
  readonly isShared?: boolean;
}

/** Listens with as many sockets as help; port 0 takes a free one. Resolves with `http://host:port`. */
export async function listen(
  app: FastifyInstance,
  { host, port, isShared = false }: SharedAddress,
): Promise<string> {
  if (LISTENERS === 1) return app.listen({ host, port, backlog: BACKLOG });
  // Sockets that share a port would share it with another server, too: the port must be free.
  const free = isShared ? port : await freePort({ host, port });
  const at = { host, port: free, backlog: BACKLOG, reusePort: true };
  const further = furtherListeners(app);
  const url = await app.listen(at);
  await Promise.all(further.map((listener) => once(listener.listen(at), 'listening')));
  return url;
}

/** Listeners whose connections are the server's, closed with it. */
function furtherListeners(app: FastifyInstance): Listener[] {
  const take = (socket: Socket) => void app.server.emit('connection', socket);
  const listeners = Array.from({ length: LISTENERS - 1 }, () => createServer(LIKE_HTTP, take));
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    closed = Promise.all(listeners.map((one) => new Promise((done) => one.close(done))));
  });
  app.addHook('onClose', async () => {
    await closed;
  });
  return listeners;
}
