import { connect, type Socket } from 'node:net';
import type { Route } from './http-call.ts';

/** Result of a connection. */
export interface RawOutcome {
  /** Everything that the server sent, as Latin-1. */
  readonly text: string;
  /** Statuses of the answers in it, in order. */
  readonly statuses: readonly number[];
  /** Whether the server closed the connection. */
  readonly closed: boolean;
}

/** A connection; the caller closes it. Its errors are its end. */
export function openSocket({ host, port, from }: Route): Socket {
  const socket = connect({ host, port, ...(from !== undefined && { localAddress: from }) });
  socket.on('error', () => socket.destroy());
  return socket;
}

/** Sends bytes unchanged, and reads until the server closes, or for `waitMs`. */
export async function exchange(route: Route, bytes: string | Buffer, waitMs = 1_500): Promise<RawOutcome> {
  const socket = openSocket(route);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  const closing = new Promise<boolean>((resolve) => socket.on('close', () => resolve(true)));
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, waitMs, false).unref());
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  const closed = await Promise.race([closing, late]);
  socket.destroy();
  const text = Buffer.concat(parts).toString('latin1');
  const statuses = [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status));
  return { text, statuses, closed };
}

/** Sends one more byte (or `bytes`) on each socket now and then, until the returned function is called. */
export function drip(sockets: readonly Socket[], everyMs: number, bytes = 'a'): () => void {
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(bytes);
  }, everyMs);
  return () => clearInterval(timer);
}
