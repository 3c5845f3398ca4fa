import { connect, type Socket } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import {
  MAX_PIPELINED,
  takeRequestsInTurn,
} from '../../../../../src/api/http/connections/pipelined-requests.ts';

/* Requests that a client sends without waiting for answers. */

/** A wait that takes milliseconds on a quiet machine. */
const WAIT = { timeout: 60_000 };

let app: FastifyInstance | null = null;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
  app = null;
});

/** Answers `/N` with N when it is let. */
class HeldAnswers {
  /** Requests that have arrived, handled or not. */
  arrived = 0;
  readonly begun: string[] = [];
  readonly #gates = new Map<string, () => void>();

  async serve(): Promise<void> {
    app = fastify();
    takeRequestsInTurn(app);
    app.server.on('request', () => {
      this.arrived++;
    });
    app.get('/:name', async (request) => {
      const { name } = request.params as { name: string };
      this.begun.push(name);
      await new Promise<void>((resolve) => this.#gates.set(name, resolve));
      return `answer ${name};`;
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
  }

  async let(name: string): Promise<void> {
    await expect.poll(() => this.#gates.has(name), WAIT).toBe(true);
    this.#gates.get(name)?.();
  }
}

function client() {
  const { port } = app!.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  return {
    socket,
    text: () => text,
    send: (...names: string[]) =>
      socket.write(names.map((name) => `GET /${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('')),
    answers: () => [...text.matchAll(/answer (\w+);/g)].map(([, name]) => name),
  };
}

function statusesIn(text: string): readonly string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status!);
}

describe('requests that a connection sends ahead', () => {
  it('begin one after the other, each after the previous answer', async () => {
    const held = new HeldAnswers();
    await held.serve();
    const { send, answers } = client();
    send('a', 'b', 'c');
    await expect.poll(() => held.arrived, WAIT).toBe(3);
    await held.let('a');
    await expect.poll(() => held.begun, WAIT).toEqual(['a', 'b']);
    await expect.poll(answers, WAIT).toEqual(['a']);
    expect(held.begun).toEqual(['a', 'b']);
    await held.let('b');
    await held.let('c');
    await expect.poll(answers, WAIT).toEqual(['a', 'b', 'c']);
    send('d');
    await held.let('d');
    await expect.poll(answers, WAIT).toEqual(['a', 'b', 'c', 'd']);
  });

  it('do not delay other connections', async () => {
    const held = new HeldAnswers();
    await held.serve();
    client().send('a', 'b');
    const other = client();
    other.send('c');
    await held.let('c');
    await expect.poll(other.answers, WAIT).toEqual(['c']);
    expect(held.begun).not.toContain('b');
  });

  it('are not begun once the client has left', async () => {
    const held = new HeldAnswers();
    await held.serve();
    const gone = client();
    gone.send('a', 'b');
    await expect.poll(() => held.begun, WAIT).toEqual(['a']);
    await expect.poll(() => held.arrived, WAIT).toBe(2);
    gone.socket.destroy();
    const other = client();
    other.send('c');
    await held.let('c');
    await expect.poll(other.answers, WAIT).toEqual(['c']);
    await held.let('a');
    other.send('d');
    await held.let('d');
    await expect.poll(other.answers, WAIT).toEqual(['c', 'd']);
    expect(held.begun).toEqual(['a', 'c', 'd']);
  });

  it('are refused in their turn if they are too many, and later ones are answered', async () => {
    const held = new HeldAnswers();
    await held.serve();
    const names = Array.from({ length: 1 + MAX_PIPELINED }, (_, at) => `n${at}`);
    const { send, answers, text } = client();
    send(...names, 'x', 'y');
    await expect.poll(() => held.arrived, WAIT).toBe(names.length + 2);
    for (const name of names) await held.let(name);
    await expect.poll(() => statusesIn(text()).length, WAIT).toBe(names.length + 2);
    expect(statusesIn(text())).toEqual([...names.map(() => '200'), '503', '503']);
    expect(answers()).toEqual(names);
    send('z');
    await held.let('z');
    await expect.poll(answers, WAIT).toEqual([...names, 'z']);
  });
});
