import { setTimeout as sleep } from 'node:timers/promises';
import { BINARY, clientFrame, FINAL, PING, TEXT } from '../../../../helpers/client-frames.ts';
import type { Attack, AttackContext } from '../../attack.ts';
import { StallProbe } from '../../watch/stall-probe.ts';
import { type KeyedServer, withKeyedServer } from './keyed-server.ts';
import { openUpgraded } from './open-upgraded.ts';

const RATE = 5;
/** Connections of the key at the same time, as many as it may have. */
const CONNECTIONS = 2;
/** Each sends 20 messages a second. */
const PAUSE_MS = 50;
const LASTS_MS = 4_000;
/** Bytes that wait to be sent; beyond it the attacker waits. */
const MAX_UNSENT = 4 * 1024 ** 2;
const STALL_MS = 500;

const hash = (number: number) => number.toString(16).padStart(64, '0');
const many = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const subscribe = (addresses: unknown) =>
  JSON.stringify({ operation: 'subscribe', types: ['account_state_change'], addresses });

/** Messages above the size limit, and as expensive ones within it. */
const FLOODS: Readonly<Record<string, Buffer>> = {
  'objects with 20,000 keys': text(JSON.stringify(Object.fromEntries(many(20_000, (at) => [`k${at}`, 1])))),
  'objects with 6,000 keys': text(JSON.stringify(Object.fromEntries(many(6_000, (at) => [`k${at}`, 1])))),
  'nested arrays': text('['.repeat(120_000) + ']'.repeat(120_000)),
  'nested arrays within the limit': text(`{"operation":${'['.repeat(32_000)}${']'.repeat(32_000)}}`),
  'unsubscribe with 5,000 hashes': text(
    JSON.stringify({ operation: 'unsubscribe', trace_external_hash_norms: many(5_000, hash) }),
  ),
  '3,700 addresses that are refused': text(subscribe(many(3_700, (at) => `0:${hash(at)}`))),
  '1,000 addresses': text(subscribe(many(1_000, (at) => `0:${hash(at)}`))),
  'binary messages': clientFrame(FINAL | BINARY, Buffer.alloc(256 * 1024)),
  'compressed messages': clientFrame(FINAL | 0x40 | TEXT, Buffer.alloc(256 * 1024)),
  'short messages': Buffer.concat(many(200, () => text('{"operation":"ping"}'))),
  pings: Buffer.concat(many(2_000, () => clientFrame(FINAL | PING, 'x'.repeat(100)))),
};

function text(json: string): Buffer {
  return clientFrame(FINAL | TEXT, json);
}

/** A key with few requests a second that sends expensive messages on all its connections, and opens them again. */
export const messageFloods: Attack = {
  name: 'floods of large messages',
  holds:
    'messages count against the rate of the key, long ones are refused unread, and others are answered meanwhile',
  run: (context) =>
    withKeyedServer(context, { rate: RATE }, async (keyed) => {
      for (const [name, bytes] of Object.entries(FLOODS)) await flood(context, keyed, { name, bytes });
    }),
};

async function flood(
  { must }: AttackContext,
  { route, path, server }: KeyedServer,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
): Promise<void> {
  const probe = new StallProbe(route, server.pid);
  const begun = performance.now();
  const isOver = () => performance.now() - begun > LASTS_MS;
  const replies = { answered: 0, opened: 0 };
  const senders = many(CONNECTIONS, async () => {
    while (!isOver()) {
      const socket = await openUpgraded(route, path);
      if (socket) replies.opened++;
      // Replies other than refusals. A few of them may be cut in two parts.
      socket?.on('data', (part: Buffer) => {
        const text = part.toString('latin1');
        replies.answered +=
          text.match(/"status":|"error":"(?!Ratelimit|too |message |invalid frame)/g)?.length ?? 0;
      });
      while (socket?.writable && !isOver()) {
        if (socket.writableLength < MAX_UNSENT) socket.write(bytes);
        await sleep(PAUSE_MS);
      }
      socket?.destroy();
      await sleep(PAUSE_MS);
    }
  });
  await Promise.all(senders);
  const seconds = (performance.now() - begun) / 1_000;
  await probe.stop();
  const stall = probe.take();
  must(stall <= STALL_MS, `${name}: others waited ${stall} ms`);
  // A window of the rate may begin before the first message. That of a connection counts with its upgrade.
  const most = RATE * (seconds + 2);
  must(
    replies.answered <= most,
    `${name}: ${replies.answered} messages were answered in ${seconds.toFixed(1)} s`,
  );
  must(replies.opened > 0, `${name}: no connection was opened`);
}
