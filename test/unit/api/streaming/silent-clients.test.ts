/** WebSocket clients that answer no ping, over real connections: the test controls the server's intervals. */
import type { Duplex } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startServing } from '../../../../src/api/serve-stage.ts';
import { KEEP_ALIVE_MS } from '../../../../src/api/streaming/stream-server.ts';
import { Metrics } from '../../../../src/platform/observability/metrics/metrics.ts';
import { openRawSocket } from '../../../helpers/paused-client.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';

/** Intervals that a client may be silent for. */
const SILENT = 4;
const REASON = 'silent client: it answered no ping';

/** Frames of RFC 6455, 5.2; client frames are masked, here with zeros. */
const [TEXT, CLOSE, PING, PONG] = [0x81, 0x88, 0x89, 0x8a];
const served = (opcode: number, data = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from([opcode, data.length]), data]);
const sent = (opcode: number, text = '') =>
  Buffer.concat([Buffer.from([opcode, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

const PINGS = Buffer.concat(Array.from({ length: SILENT }, () => served(PING)));
/** Frames to a client that is dropped: one with the reason, and a close with "try again later". */
const FAREWELL = Buffer.concat([
  served(TEXT, Buffer.from(JSON.stringify({ error: REASON }))),
  served(CLOSE, Buffer.concat([Buffer.from([1013 >> 8, 1013 & 255]), Buffer.from(REASON)])),
]);

/** A server with one connection; `pass` lets intervals of the connection pass. */
async function openSilent() {
  const intervals: (() => void)[] = [];
  const { setInterval: real } = globalThis;
  const held = vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, ms?: number) => {
    if (ms !== KEEP_ALIVE_MS) return real(run, ms);
    intervals.push(run);
    return real(() => {}, 600_000);
  }) as typeof real);
  onTestFinished(() => void held.mockRestore());
  const metrics = new Metrics();
  const { url, close } = await startServing(
    { ...storelessContext(), metrics },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(() => close());
  const socket = await openRawSocket(`${url}/api/streaming/v2/ws`);
  onTestFinished(() => void socket.destroy());
  await vi.waitFor(() => expect(intervals).toHaveLength(1), 60_000);
  const pass = (count: number) => {
    for (let passed = 0; passed < count; passed++) intervals[0]!();
  };
  const ended = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('tonhouse_streams_ended_total{'));
  return { socket, pass, ended };
}

/** The next bytes of a connection, so many. */
async function read(socket: Duplex, bytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let left = bytes; left > 0; ) {
    const part = socket.read(Math.min(left, socket.readableLength || 1)) as Buffer | null;
    if (part) {
      parts.push(part);
      left -= part.length;
    } else {
      expect(socket.readableEnded, Buffer.concat(parts).toString('latin1')).toBe(false);
      await new Promise((resolve) => socket.once('readable', resolve).once('end', resolve));
    }
  }
  return Buffer.concat(parts);
}

it('a client that answers no ping for four intervals is dropped by name', async () => {
  const { socket, pass, ended } = await openSilent();
  pass(SILENT);
  expect(await ended()).toEqual([]);
  pass(1);
  const told = Buffer.concat([PINGS, FAREWELL]);
  expect(await read(socket, told.length)).toEqual(told);
  expect(await ended()).toEqual(['tonhouse_streams_ended_total{transport="ws",reason="silent client"} 1']);
});

it.each([
  // Frames are answered in the order of sending: the reply to the client's ping shows that its pong was seen.
  ['a pong', Buffer.concat([sent(PONG), sent(PING, 'seen')]), served(PONG, Buffer.from('seen'))],
  ['a request', sent(TEXT, '{"operation":"ping"}'), served(TEXT, Buffer.from('{"status":"pong"}'))],
])('a client that sends %s has four intervals more', async (_name, frames, reply) => {
  const { socket, pass, ended } = await openSilent();
  pass(SILENT);
  socket.write(frames);
  const answered = Buffer.concat([PINGS, reply]);
  expect(await read(socket, answered.length)).toEqual(answered);
  pass(SILENT);
  expect(await ended()).toEqual([]);
  pass(1);
  const told = Buffer.concat([PINGS, FAREWELL]);
  expect(await read(socket, told.length)).toEqual(told);
});

it('a ping of the client is no answer', async () => {
  const { socket, pass, ended } = await openSilent();
  pass(SILENT);
  socket.write(sent(PING, 'here'));
  const answered = Buffer.concat([PINGS, served(PONG, Buffer.from('here'))]);
  expect(await read(socket, answered.length)).toEqual(answered);
  pass(1);
  expect(await ended()).toHaveLength(1);
});
