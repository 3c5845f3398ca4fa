/** Streams of a local chain under traffic, over real connections: order, resuming, requests and refusals. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Check } from 'typebox/value';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServing } from '../../src/api/serve-stage.ts';
import { Feed, type Receiver } from '../../src/api/streaming/feed.ts';
import { getStepEnd, isBehind, positionText } from '../../src/api/streaming/position.ts';
import { readSubscription, SSE_WORDS } from '../../src/api/streaming/read-subscription.ts';
import { type TransactionAnswer, TransactionSchema } from '../../src/api/v3/schemas/transaction.ts';
import type { VersionVector } from '../../src/api/version-vector.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { openSocket, openSse, type ReceivedEvent, type SseClient } from '../helpers/stream-client.ts';

const ALL = ['transactions', 'actions', 'account_state_change', 'jettons_change'];
const BOOKS = ['address_book', 'metadata'];
const EVENTS = 30;

describe('streams of a local chain', { timeout: 600_000 }, () => {
  let api: LocalApi;
  let addresses: string[];
  const open: SseClient[] = [];

  beforeAll(async () => {
    api = await openLocalApi({ traffic: 10, blockMs: 1_000, fast: false });
    const known = new Set<string>();
    while (known.size < 60) {
      const { transactions } = await v3<{ transactions: TransactionAnswer[] }>('transactions?limit=1000');
      for (const { account } of transactions) if (account.startsWith('0:')) known.add(account);
      await sleep(200);
    }
    addresses = [...known];
  }, 600_000);
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
  });
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const v3 = async <T>(path: string) => (await (await fetch(`${api.url}/api/v3/${path}`)).json()) as T;
  const sse = async (subscription: unknown, headers: Record<string, string> = {}) => {
    const client = await openSse(api.url, subscription, headers);
    open.push(client);
    return client;
  };
  const until = async (is: () => boolean) => {
    while (!is()) await sleep(20);
  };
  const ids = (events: readonly ReceivedEvent[]) => events.map(({ id }) => id);

  it('have what v3 has of the same chain, in its order', async () => {
    const books = { include_address_book: true, include_metadata: true };
    const client = await sse({ id: 'mine', types: ALL, addresses, ...books });
    expect(client.status).toBe(200);
    expect(client.headers.get('x-request-id')).toMatch(/./);
    await until(() => client.events.length >= EVENTS && types(client.events).size === ALL.length);
    const [connected] = client.received;
    expect(connected).toMatchObject({ event: 'connected', data: { id: 'mine', status: 'subscribed' } });
    const events = [...client.events];
    expect(new Set(ids(events)).size).toBe(events.length);
    expect(ids(events).map(order)).toEqual(
      ids(events)
        .map(order)
        .toSorted((a, b) => a - b),
    );
    for (const { data } of events) {
      expect(data.finality).toBe('finalized');
      const isBare = data.type === 'account_state_change';
      expect(Object.keys(data).filter((name) => BOOKS.includes(name))).toEqual(isBare ? [] : BOOKS);
      if (data.type !== 'transactions') continue;
      for (const one of data.transactions as TransactionAnswer[]) {
        expect(addresses).toContain(one.account);
        const found = await v3<{ transactions: TransactionAnswer[] }>(
          `transactions?hash=${encodeURIComponent(one.hash)}`,
        );
        expect(Check(TransactionSchema, found.transactions[0])).toBe(true);
        const { account_state_before: before, account_state_after: after, ...rest } = found.transactions[0]!;
        expect(one).toEqual({
          ...rest,
          account_state_before: { hash: before.hash },
          account_state_after: { hash: after.hash },
        });
      }
    }
    const state = events.findLast(({ data }) => data.type === 'account_state_change')!.data;
    expect(state).toMatchObject({
      account: expect.stringMatching(/^0:/),
      state: { account_status: 'active' },
    });
  });

  it('miss no transaction of an account', async () => {
    const client = await sse({ types: ['transactions'], addresses });
    await until(() => client.events.length >= 20);
    const sent = new Set(
      client.events.flatMap(({ data }) => (data.transactions as TransactionAnswer[]).map(({ hash }) => hash)),
    );
    const [from, to] = [client.received[0]!.id!, client.events.at(-1)!.id!].map((id) =>
      Number(id.split('-')[0]),
    );
    for (const account of addresses.slice(0, 10)) {
      const { transactions } = await v3<{ transactions: TransactionAnswer[] }>(
        `transactions?account=${account}&limit=1000&sort=desc`,
      );
      const due = transactions.filter(
        ({ mc_block_seqno: at, trace_external_hash: external }) =>
          at > from! && at < to! && external !== undefined,
      );
      for (const { hash } of due) expect(sent).toContain(hash);
    }
  });

  it('continue after any event, as if they had never been cut', async () => {
    const whole = await sse({ types: ALL, addresses });
    await until(() => whole.events.length >= EVENTS);
    const events = whole.events.slice(0, EVENTS);
    const start = whole.received[0]!.id!;
    for (const [after, id] of [[0, start], ...[0, 11, 23].map((at) => [at + 1, events[at]!.id!])] as const) {
      const resumed = await sse({ types: ALL, addresses }, { 'last-event-id': `${id}` });
      await until(() => resumed.events.length >= EVENTS - Number(after));
      const same = resumed.events.slice(0, EVENTS - Number(after));
      expect(same).toEqual(events.slice(Number(after)));
      await resumed.close();
    }
  });

  it('are the same over a WebSocket, whose subscription changes in place', async () => {
    const client = await sse({ types: ['transactions'], addresses });
    const socket = await openSocket(api.url);
    socket.send({ operation: 'ping', id: 'p' });
    expect(await socket.until(({ status }) => status === 'pong')).toEqual({ id: 'p', status: 'pong' });
    const start = client.received[0]!.id!;
    socket.send({
      operation: 'subscribe',
      id: '1',
      types: ['transactions'],
      addresses,
      last_event_id: start,
    });
    const reply = await socket.until(({ id }) => id === '1');
    expect(reply).toEqual({ id: '1', status: 'subscribed', event_id: start });
    await until(() => client.events.length >= 20);
    await until(() => socket.frames.filter(({ type }) => type === 'transactions').length >= 20);
    const frames = socket.frames.filter(({ type }) => type === 'transactions').slice(0, 20);
    expect(frames).toEqual(client.events.slice(0, 20).map(({ id, data }) => ({ event_id: id, ...data })));
    socket.send({ operation: 'unsubscribe', id: '2', addresses: addresses.slice(1) });
    await socket.until(({ id }) => id === '2');
    const seen = socket.frames.length;
    await until(() => client.events.length >= 40);
    for (const { transactions } of socket.frames.slice(seen))
      for (const { account } of transactions as TransactionAnswer[]) expect(account).toBe(addresses[0]);
    socket.socket.close();
    await socket.closed;
  });

  it('continue over a rebuild, also onto a version that lags behind the old one', async () => {
    // Traces are written before their blocks: only steps that every projection shows are complete.
    const completeOf = (vector: VersionVector) =>
      Math.min(
        ...Object.values(vector).map((view) => (view.state === 'served' ? view.visible.last : Infinity)),
      );
    await until(() => completeOf(api.context.vector()) > 40);
    const before = api.context.vector();
    if (before.traces.state !== 'served') throw new Error('traces are not served');
    const { first } = before.traces.visible;
    const last = completeOf(before);
    const middle = last - 10;
    const rebuilt = 'test_traces_rebuilt';
    const command = (sql: string) => api.client.command(sql, { route: 'test' });
    await command(`CREATE DATABASE ${rebuilt}`);
    const from = before.traces.database;
    const tables = ['traces', 'trace_transactions'];
    const fill = async (steps: string) => {
      for (const table of tables)
        await command(
          `INSERT INTO ${rebuilt}.${table} SELECT * FROM ${from}.${table} WHERE mc_seqno ${steps}`,
        );
    };
    for (const table of tables) await command(`CREATE TABLE ${rebuilt}.${table} AS ${from}.${table}`);
    await fill(`<= ${middle - 5}`);
    /** The same index up to a step, from either version of its traces. */
    const seen = { last, database: from };
    const vector = () => {
      const views = Object.entries(before).map(([name, view]) =>
        view.state === 'served'
          ? [name, { ...view, visible: { first: view.visible.first, last: seen.last } }]
          : [name, view],
      );
      const all = Object.fromEntries(views) as typeof before;
      return { ...all, traces: { ...all.traces, database: seen.database } } as typeof before;
    };
    const subscription = { types: ['transactions'], addresses };
    const { freshen: _, ...context } = api.context;
    const served = await startServing({ ...context, vector }, { host: '127.0.0.1', port: 0 });
    const openAt = async (id: string) => {
      const client = await openSse(served.url, subscription, { 'last-event-id': id });
      open.push(client);
      return client;
    };
    const stepOf = ({ id }: Told) => Number(id.split('-')[0]);
    // The events that are due, by a reader that is known to have received all of them.
    const due: Told[] = [];
    const feed = new Feed({ ...context, vector }, ['base', 'traces']);
    const reader = feed.subscribe(subscriptionTo(addresses), readerInto(due), getStepEnd(first));
    await until(() => !isBehind(getStepEnd(last), reader.position));
    feed.unsubscribe(reader);
    expect(due.length).toBeGreaterThan(EVENTS);
    seen.last = middle;
    const stream = await openAt(`${first}`);
    await until(() => stream.events.length >= due.filter((event) => stepOf(event) <= middle).length);
    Object.assign(seen, { database: rebuilt, last: middle - 5 });
    const late = await openAt(due[4]!.id);
    await until(() => late.events.length >= due.filter((event) => stepOf(event) <= middle - 5).length - 5);
    await fill(`> ${middle - 5}`);
    seen.last = last;
    await until(() => stream.events.length >= due.length && late.events.length >= due.length - 5);
    const told = ({ events }: SseClient) => events.map(({ id, data }) => ({ id, data }));
    expect(told(stream)).toEqual(due);
    expect(told(late)).toEqual(due.slice(5));
    await Promise.all(open.splice(0).map((client) => client.close()));
    await served.close();
    await command(`DROP DATABASE ${rebuilt}`);
  });

  it('drop only clients that were at the head and do not reach it again', async () => {
    const [feed, strict] = [60_000, 500].map(
      (ms) => new Feed(api.context, ['base', 'traces'], { lagMs: ms }),
    ) as [Feed, Feed];
    const subscription = subscriptionTo(addresses);
    const { head } = strict;
    const reader = (most: number, feed: Feed) => {
      const state = { most, ids: [] as string[], slow: 0 };
      const receiver: Receiver = {
        client: 'test',
        get hasRoom() {
          return state.ids.length < state.most;
        },
        send: ({ position }) => void state.ids.push(positionText(position)),
        ready: async () => {
          while (state.ids.length >= state.most && state.slow === 0) await sleep(10);
        },
        tooSlow: () => {
          state.slow++;
          feed.unsubscribe(subscriber);
        },
      };
      const subscriber = feed.subscribe(subscription, receiver, head);
      return { state, leave: () => feed.unsubscribe(subscriber) };
    };
    const stuck = reader(3, strict);
    const quick = reader(Number.POSITIVE_INFINITY, feed);
    const pausing = reader(2, feed);
    await until(() => pausing.state.ids.length === 2);
    pausing.state.most = Number.POSITIVE_INFINITY;
    await until(() => stuck.state.slow > 0);
    await until(() => quick.state.ids.length >= 20 && pausing.state.ids.length >= 20);
    const ids = quick.state.ids.slice(0, 20);
    expect([pausing.state.ids.slice(0, 20), pausing.state.slow]).toEqual([ids, 0]);
    expect([stuck.state.ids, stuck.state.slow]).toEqual([ids.slice(0, 3), 1]);
    quick.leave();
    pausing.leave();
  });

  it('send a trace by the hash of its external message, whole', async () => {
    const client = await sse({ types: ['transactions'], addresses });
    await until(() => client.events.length > 0);
    const { data, id } = client.events[0]!;
    const norm = String(data.trace_external_hash_norm);
    const before = `${Number(id!.split('-')[0]) - 1}`;
    const hex = Buffer.from(norm, 'base64').toString('hex');
    const trace = await sse(
      { types: ['trace'], trace_external_hash_norms: [hex] },
      { 'last-event-id': before },
    );
    await until(() => trace.events.length > 0);
    const event = trace.events[0]!.data as {
      trace: { tx_hash: string };
      transactions: Record<string, TransactionAnswer>;
    };
    expect(trace.events[0]!.data).toMatchObject({ type: 'trace', trace_external_hash_norm: norm });
    expect(Object.keys(event.transactions)).toContain(event.trace.tx_hash);
    for (const one of data.transactions as TransactionAnswer[])
      expect(event.transactions[one.hash]).toEqual(one);
  });

  it('refuse what the contract refuses, in its words', async () => {
    const [address] = addresses;
    const cases: [unknown, string][] = [
      [{}, 'types are required for subscription'],
      [{ types: [] }, 'types are required for subscription'],
      [{ types: ['blocks'], addresses: [address] }, 'invalid event type: blocks'],
      [{ types: ['actions'], addresses: ['x'] }, 'invalid address: x'],
      [{ types: ['actions'] }, 'addresses are required for subscription'],
      [{ types: ['trace_invalidated'] }, 'addresses are required for subscription'],
      [{ types: ['trace'] }, 'trace_external_hash_norms are required for trace subscription'],
      [
        { types: ['trace'], trace_external_hash_norms: [' '] },
        'trace_external_hash_norms contains empty value',
      ],
      [
        { types: ['actions'], addresses: [address], trace_external_hash_norms: ['ab'.repeat(32)] },
        'trace_external_hash_norms requires type "trace"',
      ],
      [
        {
          types: ['actions'],
          addresses: Array.from({ length: 1_001 }, (_, i) => `0:${String(i).padStart(64, '0')}`),
        },
        'too many addresses: 1001 > max 1000',
      ],
    ];
    for (const [body, error] of cases) {
      const client = await sse(body);
      expect([client.status, client.refusal]).toEqual([400, { error }]);
    }
    for (const body of [
      '',
      '[',
      'null',
      '[]',
      '"x"',
      '{"types":"actions"}',
      '{"types":[1]}',
      `${'['.repeat(100_000)}`,
    ]) {
      const client = await sse(body);
      expect([client.status, client.refusal]).toEqual([
        400,
        { error: expect.stringMatching(/^invalid subscription request: /) },
      ]);
    }
    const valid = { types: ['actions'], addresses: [address] };
    for (const min of ['x', 1, {}]) expect((await sse({ ...valid, min_finality: min })).status).toBe(400);
    for (const id of ['x', '-1', '1-', '99999999999', '4294967295', '1-x'])
      expect((await sse(valid, { 'last-event-id': id })).status).toBe(400);
    const get = await fetch(`${api.url}/api/streaming/v2/sse`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${api.url}/api/streaming/v2/ws`)).status).toBe(426);
  });

  it('are limited for each client, and get a notice when the server closes', async () => {
    const settings = { ...api.context.settings, streamConnections: 2, streamAddresses: 3 };
    const limited = await startServing({ ...api.context, settings }, { host: '127.0.0.1', port: 0 });
    const subscription = { types: ['transactions'], addresses: addresses.slice(0, 3) };
    const first = await openSse(limited.url, subscription);
    const second = await openSocket(limited.url);
    second.send({
      operation: 'subscribe',
      id: 'x',
      types: ['transactions'],
      addresses: addresses.slice(0, 4),
    });
    expect(await second.until(({ id }) => id === 'x')).toEqual({
      id: 'x',
      error: 'address limit exceeded: current 0 + new 4 > max 3',
    });
    const third = await openSse(limited.url, subscription);
    const error = 'connection limit reached: 2 active connections';
    expect([third.status, third.refusal, third.headers.get('retry-after')]).toEqual([429, { error }, '5']);
    // A WebSocket gets the error in a frame, and then the connection ends.
    const fourth = await openSocket(limited.url);
    expect(await fourth.closed).toMatchObject({ code: 1013, reason: error });
    expect(fourth.frames).toEqual([{ error }]);
    const full = await startServing(
      { ...api.context, settings: { ...api.context.settings, maxConnections: 5 } },
      { host: '127.0.0.1', port: 0 },
    );
    const streams = [];
    for (let opened = 0; opened < 4; opened++) streams.push(await openSse(full.url, subscription));
    const refused = await openSse(full.url, subscription);
    expect([refused.status, refused.refusal, refused.headers.get('retry-after')]).toEqual([
      503,
      { error: 'too many streams are open' },
      '5',
    ]);
    await Promise.all(streams.map((stream) => stream.close()));
    await full.close();
    await first.close();
    // The place is free again when the end of the connection is noticed.
    let again = await openSse(limited.url, subscription);
    for (; again.status === 429; again = await openSse(limited.url, subscription)) await sleep(50);
    expect(again.status).toBe(200);
    await limited.close();
    await again.ended;
    expect(again.received.at(-1)).toMatchObject({ event: 'error', data: { error: 'the server is closing' } });
    expect(await second.closed).toMatchObject({ reason: 'the server is closing' });
  });

  it('answer every request of a WebSocket, and stay open when one is wrong', async () => {
    const socket = await openSocket(api.url);
    const cases: [unknown, unknown][] = [
      ['{', { error: expect.stringMatching(/^invalid request envelope: /) }],
      ['[]', { error: expect.stringMatching(/^invalid request envelope: /) }],
      [{ id: 1 }, { error: expect.stringMatching(/^invalid request envelope: /) }],
      [{ id: 'a' }, { id: 'a', error: 'unknown operation: ' }],
      [
        { id: 'b', operation: 'x' },
        { id: 'b', error: 'unknown operation: x' },
      ],
      [
        { id: 'c', operation: 'subscribe' },
        { id: 'c', error: 'types are required' },
      ],
      [
        { id: 'd', operation: 'subscribe', types: ['actions'] },
        { id: 'd', error: 'addresses are required' },
      ],
      [
        { id: 'e', operation: 'unsubscribe' },
        { id: 'e', error: 'addresses or trace_external_hash_norms are required' },
      ],
      [
        { id: 'f', operation: 'unsubscribe', addresses },
        { id: 'f', status: 'unsubscribed' },
      ],
      [{ operation: 'ping' }, { status: 'pong' }],
    ];
    for (const [at, [request, reply]] of cases.entries()) {
      socket.send(request);
      await until(() => socket.frames.length > at);
      expect(socket.frames[at]).toEqual(reply);
    }
    for (let i = 0; i < 100; i++) socket.send({ operation: 'ping' });
    expect(await socket.closed).toMatchObject({ code: 1008, reason: 'too many requests' });
  });
});

interface Told {
  readonly id: string;
  readonly data: unknown;
}

function subscriptionTo(addresses: readonly string[]) {
  const rules = { words: SSE_WORDS, mostAddresses: 1_000, actionsVersion: null };
  return readSubscription({ types: ['transactions'], addresses }, rules);
}

/** Takes every event at once. */
function readerInto(told: Told[]): Receiver {
  return {
    client: 'test',
    hasRoom: true,
    send: ({ position, json }) => void told.push({ id: positionText(position), data: JSON.parse(json) }),
    ready: async () => {},
    tooSlow: () => {},
  };
}

function types(events: readonly ReceivedEvent[]): Set<unknown> {
  return new Set(events.map(({ data }) => data.type));
}

function order(id: string | null): number {
  const [seqno, ordinal] = id!.split('-').map(Number);
  return seqno! * 1e9 + ordinal!;
}
