import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { QuietFirst } from './quiet-first.ts';

/** New connections of one turn of the event loop: what is read of each in the next turn takes some 0.5 ms, for which all others wait. */
const OF_A_TURN = 2;

interface Waiting {
  readonly client: string;
  readonly socket: Socket;
}

/**
 * Serves new connections a few a turn of the event loop, those of clients first who opened few of late, and bounds their number: a
 * flood of connections makes itself wait, and requests on other connections are heard in between. Where there are `most`, one
 * that waits of a busier client ends for a new one; else the new one ends.
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
    return turns.add({ socket, client: normalizeIP(remoteAddress) }, open() > most);
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
  readonly #waiting = new QuietFirst<Waiting>();
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

/** Nobody has asked for anything yet. */
function ignore(): void {}

/** It left, and asked for nothing: what it had sent would stand before its end. Whoever listens later is not told of the end. */
function leave(this: Socket): void {
  this.destroy();
}
