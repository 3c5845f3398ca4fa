/** A stream whose server is killed: it continues after the last event, at the next server, without gap or duplicate. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { TransactionAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { type RunningMain, startMain } from '../helpers/run-main.ts';
import { openSse, type ReceivedEvent } from '../helpers/stream-client.ts';

const ROUNDS = 3;

describe('a stream of a server that is killed', { timeout: 600_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  let main: RunningMain | null = null;
  afterEach(async () => {
    main?.child.kill('SIGTERM');
    await main?.ended;
    rmSync(directory, { recursive: true, force: true });
  });

  const until = async <T>(find: () => Promise<T | null> | T | null): Promise<T> => {
    for (;;) {
      const found = await find();
      if (found !== null) return found;
      await sleep(100);
    }
  };
  /** The address that the server logs. */
  const start = async () => {
    const running = startMain([
      'up',
      '--data',
      directory,
      '--port',
      '0',
      '--traffic',
      '20',
      '--log-format',
      'json',
      '--session-ms',
      '2000',
      // A busy machine answers late.
      '--query-timeout-ms',
      '60000',
    ]);
    main = running;
    return until(() => /"url":"(http:[^"]+)"/.exec(running.text.stdout + running.text.stderr)?.[1] ?? null);
  };
  const v3 = async <T>(url: string, path: string) =>
    (await (await fetch(`${url}/api/v3/${path}`)).json()) as T;

  it('loses and repeats no event', async () => {
    let url = await start();
    const addresses = await until(async () => {
      const { transactions = [] } = await v3<{ transactions?: TransactionAnswer[] }>(
        url,
        'transactions?limit=500',
      );
      const known = new Set(transactions.map(({ account }) => account).filter((one) => one.startsWith('0:')));
      return known.size >= 20 ? [...known] : null;
    });
    const subscription = { types: ['transactions'], addresses };
    const events: ReceivedEvent[] = [];
    let last: string | null = null;
    let first: string | null = null;
    for (let round = 0; round < ROUNDS; round++) {
      const stream = await openSse(url, subscription, last === null ? {} : { 'last-event-id': last });
      expect(stream.status).toBe(200);
      await until(() => (stream.events.length >= 10 ? true : null));
      first ??= stream.received[0]!.id;
      main!.child.kill('SIGKILL');
      await main!.ended;
      await stream.ended;
      events.push(...stream.events);
      last = stream.lastId;
      url = await start();
      await until(async () => ((await fetch(`${url}/readyz`)).status === 200 ? true : null));
    }
    const ids = events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const sent = new Set(
      events.flatMap(({ data }) => (data.transactions as TransactionAnswer[]).map(({ hash }) => hash)),
    );
    const [from, to] = [first, ids.at(-1)!].map((id) => Number(id!.split('-')[0]));
    for (const account of addresses.slice(0, 10)) {
      const { transactions } = await v3<{ transactions: TransactionAnswer[] }>(
        url,
        `transactions?account=${account}&limit=1000`,
      );
      for (const { hash, mc_block_seqno: at, trace_external_hash: external } of transactions)
        if (at > from! && at < to! && external !== undefined) expect(sent).toContain(hash);
    }
    // All of it in one go is the same.
    const whole = await openSse(url, subscription, { 'last-event-id': first! });
    await until(() => (whole.events.length >= events.length ? true : null));
    expect(whole.events.slice(0, events.length)).toEqual(events);
    await whole.close();
  });
});
