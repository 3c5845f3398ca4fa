/** Webhooks of a local chain under traffic, to a receiver over real connections. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hook, newHookKeys } from '../../src/api/hooks/hook.ts';
import { HookRecords } from '../../src/api/hooks/hook-records.ts';
import { HookServer } from '../../src/api/hooks/hook-server.ts';
import { sendDelivery } from '../../src/api/hooks/send-delivery.ts';
import type { TransactionAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { openSse } from '../helpers/stream-client.ts';

interface Received {
  readonly path: string;
  readonly id: string;
  readonly body: string;
  readonly isSigned: boolean;
}

const PAUSES = [10, 10];
/** Far more than a busy machine needs; what is waited for is named. */
const UNTIL_MS = 240_000;

describe('webhooks', { timeout: 600_000 }, () => {
  let api: LocalApi;
  let records: HookRecords;
  let receiver: Server;
  let base: string;
  let addresses: string[];
  const received: Received[] = [];
  const secrets = new Map<string, string>();
  /** Status by path; 200 for others. */
  const answers = new Map<string, () => number>();

  beforeAll(async () => {
    api = await openLocalApi({ traffic: 20, blockMs: 1_000, fast: false });
    records = new HookRecords(api.client, 'localnet');
    receiver = createServer(async (request, reply) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += part;
      const path = request.url!;
      const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
        String(request.headers[`webhook-${name}`]),
      );
      const key = Buffer.from((secrets.get(path) ?? '').replace('whsec_', ''), 'base64');
      const due = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      received.push({ path, id: id!, body, isSigned: signature === `v1,${due}` });
      reply.writeHead(answers.get(path)?.() ?? 200, { location: `${base}/elsewhere` }).end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const known = new Set<string>();
    while (known.size < 20) {
      const reply = await fetch(`${api.url}/api/v3/transactions?limit=500`);
      const { transactions } = (await reply.json()) as { transactions: TransactionAnswer[] };
      for (const { account } of transactions) if (account.startsWith('0:')) known.add(account);
      await sleep(200);
    }
    addresses = [...known];
  }, 600_000);
  afterAll(async () => {
    receiver?.close();
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const until = async (is: () => boolean | Promise<boolean>) => {
    for (const end = performance.now() + UNTIL_MS; !(await is()); await sleep(50))
      if (performance.now() > end) throw new Error(`not within ${UNTIL_MS} ms: ${is}`);
  };
  const of = (path: string) => received.filter((one) => one.path === path);
  const hook = (path: string, facts: Partial<Hook> = {}): Hook => {
    const keys = newHookKeys();
    secrets.set(path, keys.secret);
    const filter = JSON.stringify({ types: ['transactions'], addresses });
    const common = { filter, start: '', allowsPrivate: true, createdAt: 1, isRemoved: false };
    return { ...keys, ...common, url: `${base}${path}`, ...facts };
  };

  it('deliver each event once, in order and signed, over failures and a restart', async () => {
    const stream = await openSse(api.url, { types: ['transactions'], addresses });
    await until(() => stream.received.length > 0);
    const start = stream.received[0]!.id!;
    let asked = 0;
    answers.set('/flaky', () => (asked++ % 3 === 0 ? 500 : 200));
    const flaky = hook('/flaky', { start });
    await records.write(flaky);
    const first = new HookServer(api.context, records, { pausesMs: PAUSES });
    first.start();
    await until(() => of('/flaky').length >= 15);
    await first.close();
    const second = new HookServer(api.context, records, { pausesMs: PAUSES });
    second.start();
    await until(() => new Set(of('/flaky').map(({ id }) => id)).size >= 25);
    await records.write({ ...flaky, isRemoved: true });
    await until(async () => (await records.list()).length === 0);
    await second.close();
    // The stream may lag slightly after the webhook.
    await until(() => stream.events.length >= new Set(of('/flaky').map(({ id }) => id)).size);
    await stream.close();
    const deliveries = of('/flaky');
    expect(deliveries.every(({ isSigned }) => isSigned)).toBe(true);
    // An attempt that failed comes again under its id, before anything else does.
    const ids = deliveries.map(({ id }) => id).filter((id, at, all) => id !== all[at - 1]);
    const due = stream.events.map(({ id }) => `${flaky.id}_${id}`);
    expect(ids).toEqual(due.slice(0, ids.length));
    const bodies = new Map(stream.events.map(({ id, data }) => [`${flaky.id}_${id}`, data]));
    for (const { id, body } of deliveries) expect(JSON.parse(body)).toEqual(bodies.get(id));
    expect((await records.positions()).get(flaky.id)).toBeDefined();
  });

  it('give a delivery up, list it, and send it again when asked to', async () => {
    let isUp = false;
    answers.set('/down', () => (isUp ? 200 : 503));
    const down = hook('/down');
    await records.write(down);
    const server = new HookServer(api.context, records, { pausesMs: PAUSES });
    server.start();
    await until(async () => (await records.deadLetters('open')).length > 0);
    const [letter] = await records.deadLetters('open');
    expect(letter).toMatchObject({ hook: down.id, error: 'answered 503', state: 'open' });
    expect(of('/down').filter(({ id }) => id === letter!.delivery)).toHaveLength(PAUSES.length + 1);
    isUp = true;
    expect(await records.retry(down.id)).toBeGreaterThan(0);
    await until(async () => (await records.deadLetters('due')).length === 0);
    expect((await records.deadLetters('delivered')).map(({ delivery }) => delivery)).toContain(
      letter!.delivery,
    );
    const last = of('/down').findLast(({ id }) => id === letter!.delivery)!;
    expect(last.body).toBe(letter!.body);
    await records.write({ ...down, isRemoved: true });
    await server.close();
  });

  it('are delivered by one of two processes, and by the other when that one ends', async () => {
    const left = { a: 60_000, b: 0 };
    const turnOf = (name: keyof typeof left) => ({
      get leftMs() {
        return left[name];
      },
    });
    const shared = hook('/shared');
    await records.write(shared);
    const [a, b] = (['a', 'b'] as const).map(
      (name) => new HookServer(api.context, records, { pausesMs: PAUSES, turn: turnOf(name) }),
    );
    a!.start();
    b!.start();
    await until(() => of('/shared').length >= 5);
    await a!.close();
    const before = of('/shared').length;
    await sleep(3_000);
    expect(of('/shared')).toHaveLength(before);
    Object.assign(left, { a: 0, b: 60_000 });
    await until(() => of('/shared').length >= before + 5);
    // A lease that does not last as long as an attempt is none.
    left.b = 5_000;
    await sleep(3_000);
    const paused = of('/shared').length;
    await sleep(3_000);
    expect(of('/shared')).toHaveLength(paused);
    left.b = 60_000;
    await until(() => of('/shared').length >= paused + 5);
    await b!.close();
    await records.write({ ...shared, isRemoved: true });
    // Events delivered in the second before a turn was lost come again, under their ids.
    const ids = [...new Set(of('/shared').map(({ id }) => id))];
    expect(ids.map(placeOf)).toEqual(ids.map(placeOf).toSorted((x, y) => x - y));
  });

  it('go to no private address unless allowed, and follow no redirect', async () => {
    const never = new AbortController().signal;
    const delivery = { id: 'x', body: '{}' };
    const before = received.length;
    const port = new URL(base).port;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '0x7f000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
    ])
      await expect(
        sendDelivery(
          hook('/private', { url: `http://${host}:${port}/private`, allowsPrivate: false }),
          delivery,
          never,
        ),
      ).rejects.toThrow(/private address/);
    expect(received).toHaveLength(before);
    answers.set('/moved', () => 307);
    await expect(sendDelivery(hook('/moved'), delivery, never)).rejects.toThrow('answered 307');
    expect(of('/elsewhere')).toEqual([]);
  });
});

/** Place of a delivery's event in the chain, to be compared. */
function placeOf(id: string): number {
  const [seqno, ordinal] = id
    .slice(id.lastIndexOf('_') + 1)
    .split('-')
    .map(Number);
  return seqno! * 1e9 + ordinal!;
}
