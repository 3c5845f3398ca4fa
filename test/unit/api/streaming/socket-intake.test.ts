/* How a WebSocket is read: in order, one message a turn, not beyond the budget of bytes, and not forever. */
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import websocket from '@fastify/websocket';
import fastify from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { EventLoopQueue } from '../../../../src/api/http/fairness/event-loop-queue.ts';
import { Outbox, OutboxTotal } from '../../../../src/api/streaming/outbox.ts';
import { socketWire } from '../../../../src/api/streaming/socket.ts';
import { SocketInbox } from '../../../../src/api/streaming/socket-inbox.ts';
import { SocketIntake } from '../../../../src/api/streaming/socket-intake.ts';
import { CONTINUATION, clientFrame, FINAL, PING, TEXT } from '../../../helpers/client-frames.ts';
import { openRawSocket } from '../../../helpers/paused-client.ts';

const BOUNDS = {
  messageBytes: 1_000,
  fragments: 1_000,
  messagesPerSecond: 1_000,
  framesPerSecond: 1_000,
  unfinishedMs: 10_000,
};

/** A server whose WebSockets are read by an intake; `takeBytes`: how long a client waits that sent so many bytes. */
async function open(takeBytes: (bytes: number) => number = () => 0) {
  const app = fastify();
  await app.register(websocket);
  const ends: string[] = [];
  const messages: string[] = [];
  const connections: { readonly isPaused: boolean }[] = [];
  app.get('/ws', { websocket: true }, (socket, request) => {
    const total = new OutboxTotal(1_000_000);
    const outbox = new Outbox(socketWire(socket), { most: 1_000, total }, (reason) => ends.push(reason));
    const stream = {
      get isOpen() {
        return outbox.isOpen;
      },
      end: outbox.drop.bind(outbox),
    };
    new SocketIntake({ socket, connection: request.raw.socket, stream, bounds: BOUNDS, takeBytes });
    connections.push(socket);
    socket.on('message', (data) => messages.push(String(data)));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const client = await openRawSocket(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/ws`);
  onTestFinished(() => void client.destroy());
  client.resume();
  return { client, ends, messages, connection: () => connections[0]! };
}

const UNFINISHED = ['unfinished message: not complete after 10 s'];

/** Waits by turns of the event loop: `expect.poll` would move the clock. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}

/** As `open`, with a clock of its own; `send` resolves when the server has read the bytes. */
async function openWithClock() {
  let read = 0;
  const opened = await open((bytes) => {
    read += bytes;
    return 0;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let sent = 0;
  const send = async (...frames: readonly Buffer[]) => {
    const bytes = Buffer.concat(frames);
    sent += bytes.length;
    opened.client.write(bytes);
    await until(() => read === sent);
  };
  return { ...opened, send };
}

it.each([
  ['a fragment', clientFrame(TEXT, 'x')],
  ['half of a frame', clientFrame(FINAL | TEXT, 'x', 100)],
  ['half of a header', clientFrame(FINAL | TEXT, 'x').subarray(0, 1)],
  ['a fragment without data', clientFrame(TEXT)],
])('a connection with %s of a message that is never complete ends', async (_name, bytes) => {
  const { send, ends } = await openWithClock();
  await send(bytes);
  vi.advanceTimersByTime(BOUNDS.unfinishedMs - 1);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ends).toEqual(UNFINISHED);
});

it('an unfinished message gets no more time by fragments and pings', async () => {
  const { send, ends } = await openWithClock();
  await send(clientFrame(TEXT, 'x'));
  vi.advanceTimersByTime(BOUNDS.unfinishedMs - 1);
  await send(clientFrame(CONTINUATION, 'x'), clientFrame(FINAL | PING), clientFrame(CONTINUATION));
  vi.advanceTimersByTime(1);
  expect(ends).toEqual(UNFINISHED);
});

it('each message has its time', async () => {
  const { send, ends, messages } = await openWithClock();
  const [begin, end] = [clientFrame(TEXT, 'x'), clientFrame(FINAL | CONTINUATION, 'x')];
  await send(begin);
  for (let sent = 1; sent <= 5; sent++) {
    vi.advanceTimersByTime(BOUNDS.unfinishedMs - 1);
    // One message ends and the next begins in the same part.
    await send(end, begin);
    await until(() => messages.length === sent);
  }
  await send(end);
  vi.advanceTimersByTime(10 * BOUNDS.unfinishedMs);
  expect(ends).toEqual([]);
});

it('a client beyond its bytes is not read until it may send more', async () => {
  const waits = [0, 200];
  const { client, messages, connection } = await open(() => waits.shift() ?? 600_000);
  const message = clientFrame(FINAL | TEXT, 'x');
  for (const count of [1, 2, 3]) {
    client.write(message);
    await expect.poll(() => messages.length, { timeout: 60_000 }).toBe(count);
  }
  expect(connection().isPaused).toBe(true);
});

it('messages of a connection are answered in order, each in a turn of the event loop', async () => {
  const told: string[] = [];
  let turn = 0;
  const count = () => {
    turn++;
    if (told.length < 3) setImmediate(count);
  };
  setImmediate(count);
  let holds = 0;
  const inbox = new SocketInbox({
    stream: { isOpen: true, sendFrame: (text) => told.push(text) },
    turns: new EventLoopQueue(),
    hold: () => {
      holds++;
      return () => holds--;
    },
    isAllowed: () => true,
    refuse: (message) => (message === null ? { error: 'refused' } : null),
    answer: (message) => ({ message: String(message), turn }),
    onFailure: (error) => {
      throw error;
    },
  });
  for (const text of ['a', 'b']) inbox.add(Buffer.from(text));
  inbox.add(null);
  expect(holds).toBe(1);
  await expect.poll(() => told.length, { timeout: 60_000 }).toBe(3);
  const [a, b, refused] = told.map((text) => JSON.parse(text) as { message?: string; turn?: number });
  expect([a!.message, b!.message, refused]).toEqual(['a', 'b', { error: 'refused' }]);
  expect(b!.turn).toBeGreaterThan(a!.turn!);
  await expect.poll(() => holds, { timeout: 60_000 }).toBe(0);
});
