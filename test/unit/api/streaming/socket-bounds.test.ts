/* Bounds of what a client sends on a WebSocket, over real connections. */
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { socketBounds } from '../../../../src/api/streaming/socket-bounds.ts';
import {
  BINARY,
  CONTINUATION,
  clientFrame,
  FINAL,
  PING,
  PONG,
  TEXT,
} from '../../../helpers/client-frames.ts';
import { keyOf, startLimited } from '../../../helpers/limited-server.ts';
import { openRawSocket } from '../../../helpers/paused-client.ts';
import { openSocket } from '../../../helpers/stream-client.ts';

const ADDRESSES = 1_000;
const { messageBytes, fragments, framesPerSecond } = socketBounds(ADDRESSES);
const COMPRESSED = 0x40;
const CLOSE = 0x88;

/** Keys of tests, one for each, so that no test uses the bytes of another. */
const keys = Array.from({ length: 40 }, () => keyOf());
let url: string;
beforeAll(async () => {
  const settings = { streamAddresses: ADDRESSES };
  const onEnd = (close: () => void | Promise<void>) => afterAll(close);
  ({ url } = await startLimited(
    keys.map(({ key }) => key),
    { settings, onEnd },
  ));
});

const nextQuery = () => `?api_key=${keys.pop()!.text}`;

/** Sends frames on a connection of its own. Returns what the server sent up to its close frame, as Latin-1. */
async function answerTo(...frames: readonly Buffer[]): Promise<string> {
  const socket = await openRawSocket(`${url}/api/streaming/v2/ws${nextQuery()}`);
  onTestFinished(() => void socket.destroy());
  const received = readAll(socket);
  // The server may end the connection before it has read everything.
  socket.on('error', () => {});
  for (const frame of frames) socket.write(frame);
  await expect.poll(received, { timeout: 60_000 }).toContain(String.fromCharCode(CLOSE));
  return received();
}

function readAll(socket: Duplex): () => string {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString('latin1');
}

/** The last frames of a server that ends a stream: the reason, and a close frame with a code. */
function farewell(reason: string, code: number): string {
  return `${JSON.stringify({ error: reason })}${String.fromCharCode(CLOSE, reason.length + 2, code >> 8, code & 255)}${reason}`;
}

describe('a message', () => {
  it.each([
    ['raw', (i: number) => `-1:${i.toString(16).padStart(64, '0')}`],
    ['friendly', (i: number) => friendly(i)],
  ])('has room for as many addresses as a stream may have, in %s form', async (_form, addressOf) => {
    const socket = await openSocket(url, nextQuery());
    const addresses = Array.from({ length: ADDRESSES }, (_, i) => addressOf(i));
    const text = JSON.stringify({ operation: 'subscribe', types: ['account_state_change'], addresses });
    // Separated as by Python's `json.dumps`.
    socket.send(text.replaceAll(',', ', '));
    expect(await socket.until(() => true)).toEqual({ status: 'subscribed' });
  });

  it('that is too long is refused by its header, before its data', async () => {
    const reason = `message too long: ${messageBytes + 1} bytes > max ${messageBytes}`;
    const text = await answerTo(clientFrame(FINAL | TEXT, '{', messageBytes + 1));
    expect(text.endsWith(farewell(reason, 1009))).toBe(true);
  });

  it.each([
    ['text', FINAL | TEXT],
    ['binary data', FINAL | BINARY],
  ])('of %s that is too long ends the connection while its data comes', async (_name, first) => {
    const text = await answerTo(clientFrame(first, Buffer.alloc(4 * messageBytes)));
    expect(text).toContain('message too long: ');
  });

  it.each([
    ['of one byte', [clientFrame(CONTINUATION, 'x')]],
    ['without data', [clientFrame(CONTINUATION)]],
    ['with pongs between them', [clientFrame(CONTINUATION, 'x'), clientFrame(FINAL | PONG)]],
  ])('in too many fragments %s ends the connection', async (_name, frames) => {
    const part = Buffer.concat(frames);
    const text = await answerTo(clientFrame(TEXT, '{'), ...Array.from({ length: fragments }, () => part));
    expect(text).toMatch(/too many (fragments of a message|frames): more than/);
    expect(text).toContain(String.fromCharCode(1008 >> 8, 1008 & 255));
  });

  it('that is compressed ends the connection: nothing is unpacked', async () => {
    const text = await answerTo(clientFrame(FINAL | COMPRESSED | TEXT, Buffer.alloc(1_000)));
    expect(text).toContain(String.fromCharCode(CLOSE, 2, 1002 >> 8, 1002 & 255));
  });

  it('in fragments is answered like any other', async () => {
    const socket = await openRawSocket(`${url}/api/streaming/v2/ws${nextQuery()}`);
    onTestFinished(() => void socket.destroy());
    const received = readAll(socket);
    socket.write(clientFrame(TEXT, '{"operation"'));
    socket.write(clientFrame(FINAL | PING, 'between'));
    socket.write(clientFrame(CONTINUATION, ':"pi'));
    socket.write(clientFrame(FINAL | CONTINUATION, 'ng"}'));
    await expect.poll(received, { timeout: 60_000 }).toContain('{"status":"pong"}');
    expect(received()).toContain('between');
  });
});

it.each([
  ['pings', clientFrame(FINAL | PING, 'x')],
  ['pongs', clientFrame(FINAL | PONG)],
])('a flood of %s ends the connection', async (_name, frame) => {
  const text = await answerTo(...Array.from({ length: 100 * framesPerSecond }, () => frame));
  expect(text).toContain(`too many frames: more than ${framesPerSecond} in a second`);
});

describe('lists of a request', () => {
  const tooMany = ADDRESSES + 1;
  const odd = Array.from({ length: tooMany }, () => 0);
  it.each([
    [
      { operation: 'subscribe', types: ['actions'], addresses: odd },
      `address limit exceeded: current 0 + new ${tooMany} > max ${ADDRESSES}`,
    ],
    [
      { operation: 'subscribe', types: ['trace'], trace_external_hash_norms: odd },
      `too many trace_external_hash_norms: ${tooMany} > max ${ADDRESSES}`,
    ],
    [{ operation: 'subscribe', types: odd }, 'invalid subscribe request: types has more than 1000 items'],
    [
      { operation: 'subscribe', types: ['actions'], addresses: ['0:1'], action_types: odd },
      'invalid subscribe request: action_types has more than 1000 items',
    ],
    [
      { operation: 'unsubscribe', trace_external_hash_norms: odd },
      `invalid unsubscribe request: trace_external_hash_norms has more than ${ADDRESSES} items`,
    ],
    [
      { operation: 'unsubscribe', addresses: odd },
      `invalid unsubscribe request: addresses has more than ${ADDRESSES} items`,
    ],
    [{ operation: nested(5_000) }, 'invalid request envelope: operation must be a string'],
    [
      { operation: 'ping', id: 'x'.repeat(257) },
      'invalid request envelope: id has 257 characters, at most 256 are allowed',
    ],
  ])('are refused by their length, before an item is read: %#', async (request, error) => {
    const socket = await openSocket(url, nextQuery());
    socket.send(request);
    expect(await socket.until(() => true)).toEqual({ error });
  });
});

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let at = 0; at < depth; at++) value = [value];
  return value;
}

/** A friendly address of the basechain, with its checksum (CRC-16 of XMODEM). */
function friendly(number: number): string {
  const bytes = Buffer.alloc(36);
  bytes[0] = 0x11;
  bytes.writeUInt32BE(number, 30);
  let crc = 0;
  for (const byte of bytes.subarray(0, 34)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  bytes.writeUInt16BE(crc & 0xffff, 34);
  return bytes.toString('base64url');
}
