import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { toClientName } from '../client/ip-address.ts';
import { LeastFrequentFirst } from '../fairness/least-frequent-first.ts';

/**
 * New connections per turn of the event loop: reading each in the next turn takes about 0.5 ms, and all others wait.
 */
const OF_A_TURN = 2;

interface Waiting {
  readonly client: string;
  readonly socket: Socket;
}

/**
 * Serves a few new connections per turn of the event loop, clients with fewer recent connections first, and limits
 * their number. So a flood of connections delays itself, and other connections are served in between. At `most`
 * connections, a waiting one of a busier client is closed for a new one; otherwise the new one is closed.
 */
export function takeConnectionsInTurn(app: FastifyInstance, most: number): void {
  const { server } = app;
  const [serve] = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  if (!serve) throw new TypeError('the server reads no connections');
  server.removeListener('connection', serve);
  const open = countConnections(server);
  const turns = new ConnectionTurns((socket) => serve.call(server, socket));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // It is gone already.
    if (remoteAddress === undefined) return socket.destroy();
    return turns.add({ socket, client: toClientName(remoteAddress) }, open() > most);
  });
  app.addHook('preClose', async () => turns.serveAll());
}

/** Counts the open connections of a server, whichever socket accepted them. */
export function countConnections(server: Server): () => number {
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open++;
    socket.once('close', () => open--);
  });
  return () => open;
}

class ConnectionTurns {
  readonly #serve: (socket: Socket) => void;
  readonly #waiting = new LeastFrequentFirst<Waiting>();
  #isTurn = false;

  constructor(serve: (socket: Socket) => void) {
    this.#serve = serve;
  }

  /** `isFull`: another one has to end for it. */
  add(connection: Waiting, isFull: boolean): void {
    const { socket } = connection;
    this.#waiting.add(connection);
    socket.on('error', ignore);
    socket.on('end', leave);
    socket.once('close', () => this.#waiting.delete(connection));
    if (isFull) this.#end(this.#waiting.takeBusier(connection) ?? connection);
    if (this.#isTurn) return;
    this.#isTurn = true;
    setImmediate(this.#turn);
  }

  /** Serves those that wait, however many. */
  serveAll(): void {
    this.#serveSome(this.#waiting.size);
  }

  /** It leaves the queue at once: it must not end for another one, too. */
  #end(connection: Waiting): void {
    this.#waiting.delete(connection);
    connection.socket.destroy();
  }

  #serveSome(count: number): void {
    for (let taken = 0; taken < count; taken++) {
      const socket = this.#waiting.take()?.socket;
      if (!socket) return;
      if (socket.destroyed) continue;
      this.#serve(socket);
      socket.removeListener('error', ignore);
      socket.removeListener('end', leave);
    }
  }

  readonly #turn = (): void => {
    this.#serveSome(OF_A_TURN);
    this.#isTurn = this.#waiting.size > 0;
    if (this.#isTurn) setImmediate(this.#turn);
  };
}

/** There is no request yet. */
function ignore(): void {}

/** It left without a request: its sent bytes would come before its end. Later listeners do not get the end. */
function leave(this: Socket): void {
  this.destroy();
}
