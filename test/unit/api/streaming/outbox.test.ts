/** Clients that read slowly or not at all: their queue is bounded, and they get the reason when they are dropped. */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import websocket from '@fastify/websocket';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FAREWELL_MS, Outbox, OutboxTotal, type Wire } from '../../../../src/api/streaming/outbox.ts';
import { socketWire } from '../../../../src/api/streaming/socket.ts';
import { sseWire } from '../../../../src/api/streaming/sse.ts';
import { openPausedSocket, openPausedSse } from '../../../helpers/paused-client.ts';

const MAX = 1_000;

/** A connection whose client reads on request. */
function openWire() {
  const waiting: (() => void)[] = [];
  const ends: string[] = [];
  const wire: Wire = {
    write: (_text, done) => void waiting.push(done),
    end: (reason) => void ends.push(reason),
    destroy() {},
  };
  return { wire, ends, read: (frames: number) => waiting.splice(0, frames).forEach((done) => void done()) };
}

function openOutbox(total = new OutboxTotal(1_000_000)) {
  const { wire, ends, read } = openWire();
  const dropped: string[] = [];
  const outbox = new Outbox(wire, { most: MAX, total }, (reason) => dropped.push(reason));
  return { outbox, total, ends, dropped, read };
}

describe('an outbox', () => {
  it('has room until its bytes wait, and again when half of them are read', async () => {
    const { outbox, read } = openOutbox();
    for (let sent = 0; sent < 10; sent++) {
      expect(outbox.hasRoom).toBe(true);
      outbox.send('x'.repeat(100));
    }
    expect([outbox.hasRoom, outbox.unsent]).toEqual([false, MAX]);
    let isReady = false;
    const ready = outbox.ready().then(() => {
      isReady = true;
    });
    read(4);
    await Promise.resolve();
    expect([isReady, outbox.hasRoom]).toEqual([false, true]);
    read(1);
    await ready;
    expect(outbox.unsent).toBe(500);
  });

  it('counts bytes, not characters', () => {
    const { outbox } = openOutbox();
    outbox.send('🙂'.repeat(10));
    expect(outbox.unsent).toBe(40);
  });

  it('drops a client that has read nothing between two looks, with the reason, once', () => {
    const { outbox, total, ends, dropped, read } = openOutbox();
    outbox.send('one');
    outbox.send('two');
    outbox.checkProgress();
    read(1);
    outbox.checkProgress();
    expect(dropped).toEqual([]);
    outbox.checkProgress();
    outbox.checkProgress();
    expect(dropped).toEqual(['slow consumer: nothing was read for a while']);
    expect(ends).toEqual(dropped);
    expect([outbox.isOpen, total.bytes]).toEqual([false, 0]);
    outbox.send('three');
    expect(total.bytes).toBe(0);
  });

  it('never drops a client for which nothing waits', () => {
    const { outbox, dropped, read } = openOutbox();
    for (let look = 0; look < 10; look++) {
      outbox.send('x');
      read(1);
      outbox.checkProgress();
    }
    for (let look = 0; look < 10; look++) outbox.checkProgress();
    expect(dropped).toEqual([]);
  });

  it('lets who waits for room go when the client has left', async () => {
    const { outbox } = openOutbox();
    outbox.send('x'.repeat(MAX));
    const ready = outbox.ready();
    outbox.close();
    await ready;
    expect(outbox.isOpen).toBe(false);
  });
});

describe('the outboxes of a server', () => {
  it('have a common limit: the one with most is dropped', () => {
    const total = new OutboxTotal(2_500);
    const [small, large, other] = [openOutbox(total), openOutbox(total), openOutbox(total)];
    small.outbox.send('x'.repeat(400));
    large.outbox.send('x'.repeat(1_500));
    other.outbox.send('x'.repeat(600));
    expect([small, large, other].flatMap(({ dropped }) => dropped)).toEqual([]);
    other.outbox.send('x'.repeat(100));
    expect(large.dropped).toEqual(['slow consumer: too many events of all streams wait to be read']);
    expect([...small.dropped, ...other.dropped]).toEqual([]);
    expect(total.bytes).toBe(1_100);
    large.read(10);
    expect(total.bytes).toBe(1_100);
  });
});

/** A server on a TCP port that sends a stream through one outbox, as SSE or over a WebSocket. */
async function serveOutbox() {
  const dropped: string[] = [];
  const outboxes: Outbox[] = [];
  const total = new OutboxTotal(1_000_000_000);
  const open = (wire: Wire) =>
    outboxes.push(new Outbox(wire, { most: MAX, total }, (reason) => void dropped.push(reason)));
  const app = fastify({ forceCloseConnections: true });
  await app.register(websocket);
  app.get('/ws', { websocket: true }, (socket) => void open(socketWire(socket)));
  app.get('/sse', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.raw.flushHeaders();
    open(sseWire(reply.raw));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return { outboxes, dropped, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` };
}

describe('a client on a real connection that does not read', () => {
  it.each([
    ['sse', openPausedSse],
    ['ws', openPausedSocket],
  ] as const)(
    'is dropped over %s with the reason, and gets it when it reads again',
    async (path, connect) => {
      // Who was dropped has time to read why, however busy the machine is.
      const { setTimeout: later } = globalThis;
      const timeouts = vi
        .spyOn(globalThis, 'setTimeout')
        .mockImplementation(((run: () => void, ms?: number) =>
          later(run, ms === FAREWELL_MS ? 600_000 : ms)) as typeof later);
      onTestFinished(() => void timeouts.mockRestore());
      const { url, outboxes, dropped } = await serveOutbox();
      const client = await connect(`${url}/${path}`);
      while (outboxes.length === 0) await sleep(10);
      const [outbox] = outboxes as [Outbox];
      // More than the buffers of both systems take.
      for (let sent = 0; sent < 512; sent++) outbox.send('x'.repeat(65_536));
      while (dropped.length === 0) {
        outbox.checkProgress();
        await sleep(200);
      }
      const reason = 'slow consumer: nothing was read for a while';
      expect(dropped).toEqual([reason]);
      expect(outbox.isOpen).toBe(false);
      expect(await client.readUntil(JSON.stringify({ error: reason }))).toContain(
        JSON.stringify({ error: reason }),
      );
    },
  );
});
