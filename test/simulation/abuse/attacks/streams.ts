import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackContext } from '../attack.ts';
import { callHttp, type Outcome } from '../http-call.ts';
import { drip, openSocket } from '../raw-exchange.ts';

const SSE = '/api/streaming/v2/sse';
const CONNECTS = 10_000;
const AT_ONCE = 500;
const READERS = 200;
const LASTS_MS = 8_000;
const MAX_ADDRESSES = 1_000;
const MAX_UNSENT = 256 * 1024 ** 2;
const UNSENT = /^tonhouse_stream_unsent_bytes (\d+)/m;
const SLOW = /^tonhouse_streams_ended_total\{.*reason="slow consumer".*\} (\d+)/m;
/** Two looks of the server are 15 s apart; it may be busy. */
const DROP_POLLS = 90;
const TYPES = ['transactions', 'actions', 'account_state_change', 'jettons_change'];

/** Streams that are opened and left, thousands of them, over both transports. */
export const streamFlood: Attack = {
  name: 'a flood of streams',
  holds: 'further ones are refused with 503 and Retry-After, and requests are answered meanwhile',
  bounds: { honestServed: 0.3 },
  honestMayGet: /ECONNRESET|ECONNREFUSED/,
  async run(context) {
    const { server, accounts, sendAll, random, addresses } = context;
    const host = `${server.host}:${server.port}`;
    const body = JSON.stringify({ types: TYPES, addresses: [accounts.wallet] });
    const post = `POST ${SSE} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const upgrade = `GET /api/streaming/v2/ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
    for (let opened = 0; opened < CONNECTS; opened += AT_ONCE) {
      const sockets = Array.from({ length: AT_ONCE }, () => {
        const from = random.pick(addresses.many);
        const socket = openSocket({ ...context.route, ...(from !== undefined && { from }) });
        socket.resume();
        socket.write(random.oneIn(2) ? post : upgrade);
        return socket;
      });
      await sleep(250);
      for (const socket of sockets) socket.destroy();
    }
    await untilFree(context);
    const asked = Array.from({ length: 50 }, () => ({ path: '/api/streaming/healthz' }));
    await sendAll(asked, 10);
  },
};

/** Streams of whose events nothing is read, and requests that come as drops. */
export const slowStreams: Attack = {
  name: 'streams that nobody reads',
  holds:
    'what waits for them is bounded, they are dropped by name, and honest clients are answered meanwhile',
  bounds: { honestServed: 0.4 },
  async run(context) {
    const { server, send, must } = context;
    const busy = await busyAddresses(send);
    const body = JSON.stringify({
      types: TYPES,
      addresses: busy,
      include_address_book: true,
      include_metadata: true,
    });
    const host = `Host: ${server.host}:${server.port}\r\nContent-Type: application/json\r\n`;
    const post = (more: string) =>
      `POST ${SSE} HTTP/1.1\r\n${host}${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const { first } = await range(send);
    const open = (start: string, count: number) =>
      Array.from({ length: count }, () => {
        const socket = openSocket(context.route);
        socket.write(start);
        return socket;
      });
    // From the first event on, and from the head; and some whose subscription never ends.
    const readers = [
      ...open(`${post(`Last-Event-ID: ${first}\r\n`)}${body}`, READERS / 2),
      ...open(`${post('')}${body}`, READERS / 2),
    ];
    for (const socket of readers) socket.pause();
    const drops = open(`${post('')}{"types":["`, READERS / 4);
    const stopDrops = drip(drops, 500);
    await sleep(LASTS_MS);
    const [unsent, slow] = [await metricOf(send, UNSENT), await metricOf(send, SLOW)];
    must(unsent <= MAX_UNSENT, `${unsent} bytes wait for streams`);
    // Who has read nothing between two looks is gone, and nothing waits for it.
    for (let look = 0; look < DROP_POLLS && (await metricOf(send, UNSENT)) > 0; look++) await sleep(1_000);
    must((await metricOf(send, UNSENT)) === 0, 'streams that nobody reads are not dropped');
    must(unsent === 0 || (await metricOf(send, SLOW)) > slow, 'no stream was dropped as a slow consumer');
    stopDrops();
    for (const socket of [...readers, ...drops]) socket.destroy();
    await untilFree(context);
  },
};

/** Subscriptions as large as they may be and larger, from odd places, and requests on a WebSocket without a pause. */
export const largeSubscriptions: Attack = {
  name: 'large and odd subscriptions',
  holds: 'beyond their bounds they are refused with 4xx, within them they are served',
  async run(context) {
    const { random, must, route, sendAll } = context;
    const address = () => `0:${Array.from({ length: 64 }, () => random.below(16).toString(16)).join('')}`;
    const many = Array.from({ length: 5_000 }, address);
    const open = (subscription: unknown, headers: Record<string, string> = {}, leaveAfterMs = 60_000) =>
      callHttp(route, {
        path: SSE,
        body: typeof subscription === 'string' ? subscription : JSON.stringify(subscription),
        headers: { 'content-type': 'application/json', ...headers },
        leaveAfterMs,
      });
    const whole = { types: [...TYPES, 'trace'], addresses: many.slice(0, MAX_ADDRESSES) };
    const hashes = many.slice(0, MAX_ADDRESSES).map((one) => one.slice(2));
    const served = await Promise.all(
      Array.from({ length: 40 }, () => open({ ...whole, trace_external_hash_norms: hashes }, {}, 2_000)),
    );
    for (const { status, failure } of served)
      must(
        failure === 'left' || status === 503,
        `a subscription of ${MAX_ADDRESSES} addresses: ${failure ?? status}`,
      );
    const refused: [unknown, Record<string, string>?][] = [
      [{ types: ['actions'], addresses: many.slice(0, MAX_ADDRESSES + 1) }],
      [{ types: ['actions'], addresses: many }],
      [
        {
          types: ['trace'],
          trace_external_hash_norms: many.map((one) => one.slice(2)).slice(0, MAX_ADDRESSES + 1),
        },
      ],
      [{ types: ['actions'], addresses: many.slice(0, 1), action_types: many.slice(0, 1_001) }],
      [{ types: Array.from({ length: 50_000 }, () => 'x'), addresses: [] }],
      [{ types: ['actions'], addresses: [['0:1']] }],
      ['['.repeat(200_000)],
      [`{"types":["actions"],"addresses":["${'x'.repeat(300_000)}"]}`],
      [whole, { 'last-event-id': '4294967294-0' }],
      [whole, { 'last-event-id': `${'9'.repeat(5_000)}` }],
      [{ types: ['actions'], addresses: many.slice(0, 1) }, { 'last-event-id': '1-99999999999999999999' }],
    ];
    for (const [subscription, headers] of refused) {
      const { status, bytes, failure } = await open(subscription, headers);
      const what = `${JSON.stringify(subscription).slice(0, 60)}: ${failure ?? status}, ${bytes} bytes`;
      must(status >= 400 && status < 500 && bytes < 4_096, what);
    }
    await Promise.all(Array.from({ length: 20 }, () => floodSocket(context)));
    await sendAll([{ path: '/api/streaming/v2/ws' }, { path: SSE }], 1);
  },
};

/** Requests on a WebSocket, as fast as they can be sent. */
async function floodSocket({ server, accounts, must }: AttackContext): Promise<void> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/streaming/v2/ws`);
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve));
  const opened = new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => resolve(true));
    socket.addEventListener('error', () => resolve(false));
  });
  if (!(await opened)) return;
  const subscribe = JSON.stringify({
    operation: 'subscribe',
    types: ['actions'],
    addresses: [accounts.wallet],
  });
  for (let sent = 0; sent < 500; sent++) socket.send(subscribe);
  const late = sleep(120_000, null, { ref: false });
  must((await Promise.race([closed, late]))?.code === 1008, 'a flood of requests on a WebSocket goes on');
  socket.close();
}

/** A number of `/metrics`; 0 if absent. */
async function metricOf(send: AttackContext['send'], form: RegExp): Promise<number> {
  const { text } = await send({ path: '/metrics' });
  return Number(form.exec(text)?.[1] ?? 0);
}

/** Addresses of the newest transactions, which have events. */
export async function busyAddresses(send: AttackContext['send']): Promise<string[]> {
  const { text } = await send({ path: '/api/v3/transactions?limit=200' });
  const { transactions = [] } = JSON.parse(text || '{}') as { transactions?: { account: string }[] };
  return [...new Set(transactions.map(({ account }) => account))];
}

async function range(send: AttackContext['send']): Promise<{ first: number }> {
  const { text } = await send({ path: '/api/v3/masterchainInfo' });
  return { first: (JSON.parse(text) as { first: { seqno: number } }).first.seqno };
}

/** Connections that are gone are noticed by and by. */
async function untilFree({ route }: AttackContext): Promise<Outcome> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await callHttp(route, { path: '/healthz', timeoutMs: 5_000 });
    if (outcome.status > 0 || attempt === 40) return outcome;
    await sleep(250);
  }
}
