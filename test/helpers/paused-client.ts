import { once } from 'node:events';
import { request } from 'node:http';
import type { Duplex, Readable } from 'node:stream';

/** A client on a separate TCP connection that does not read: data fills the buffers of both systems. */
export interface PausedClient {
  /** Reads what was sent, until it has a text or the connection ends, and leaves. */
  readUntil(text: string): Promise<string>;
}

/** Asks for a stream of server-sent events, and reads nothing of it. */
export async function openPausedSse(url: string): Promise<PausedClient> {
  const asked = request(url, { agent: false });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [Readable];
  return { readUntil: (text) => readUntil(answer, text) };
}

/** Opens a WebSocket, and reads nothing. */
export async function openPausedSocket(url: string): Promise<PausedClient> {
  const socket = await openRawSocket(url);
  return { readUntil: (text) => readUntil(socket, text) };
}

/** The connection of a WebSocket after its upgrade: its client sends and answers nothing automatically. */
export async function openRawSocket(url: string): Promise<Duplex> {
  const asked = request(url, {
    agent: false,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    },
  });
  asked.end();
  const [, socket] = (await once(asked, 'upgrade')) as [unknown, Duplex];
  return socket;
}

async function readUntil(stream: Readable, text: string): Promise<string> {
  let tail = '';
  for await (const part of stream.setEncoding('utf8')) {
    tail = (tail + part).slice(-KEPT);
    if (tail.includes(text)) break;
  }
  return tail;
}

/** Characters that are looked through, more than a part has. */
const KEPT = 256 * 1024;
