import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { OverloadedError } from '../errors/http-error.ts';

/** Maximum waiting requests of a connection; further ones are refused (503). */
export const MAX_PIPELINED = 64;

/** The requests of one connection, which are answered in the order in which they came. */
interface Line {
  isBusy: boolean;
  readonly waiting: (() => void)[];
}

/**
 * Handles the requests of a connection in sequence: the next one begins when the previous answer has left the process.
 * Otherwise thousands of pipelined requests would begin in one turn of the event loop, join one answer, and all be
 * answered in one turn too.
 */
export function takeRequestsInTurn(app: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>();
  const getLine = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known) return known;
    const line: Line = { isBusy: false, waiting: [] };
    lines.set(socket, line);
    return line;
  };
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const line = getLine(socket);
    if (line.waiting.length >= MAX_PIPELINED) {
      done(new OverloadedError('too many requests of one connection wait for their answers'));
      return;
    }
    reply.raw.once('close', () => leave(socket, line));
    if (line.isBusy) line.waiting.push(done);
    else {
      line.isBusy = true;
      done();
    }
  });
}

/** The next request of the connection, in a turn of its own: other connections come in between. */
function leave(socket: Socket, line: Line): void {
  // The client is gone.
  if (socket.destroyed) line.waiting.length = 0;
  const next = line.waiting.shift();
  if (next) setImmediate(next);
  else line.isBusy = false;
}
