import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { TableProjection } from '../../../../src/engine/projection/projection.ts';
import { neededStore } from '../../../../src/engine/versions/needed-store.ts';
import { ConfirmedNews } from '../../../../src/engine/watermark/confirmed-news.ts';
import type { LogIdentity } from '../../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../../src/log/sqlite/embedded-bus.ts';
import type { StoreClient } from '../../../../src/platform/clickhouse/client.ts';
import type { QueryOptions } from '../../../../src/platform/clickhouse/client-options.ts';

const identity: LogIdentity = { network: 'testnet', id: 'test:testnet', epochSize: 100, lanes: 2, facts: {} };
const base = { name: 'base', order: 'epoch' } as TableProjection;
const projection = { name: 'actions', needs: [base] } as unknown as TableProjection;

/** A store of which only the confirmed ranges are asked, and how often they were. */
function storeOf(confirmed: { last: number }) {
  const asked = { times: 0, databases: new Set<string>() };
  const queryRows = async (sql: string, { params }: QueryOptions) => {
    asked.times++;
    asked.databases.add(/FROM (\w+)\.confirmed/.exec(sql)?.[1] ?? '');
    const row = [1, confirmed.last];
    // A poll after the known range, or the first one.
    return {
      names: [],
      rows: params
        ? [
            ['above', ...row],
            ['highest', ...row],
          ]
        : [row],
    };
  };
  return { asked, client: { queryRows } as unknown as StoreClient };
}

const told = (first: number, last: number, partition?: number) => ({
  database: 'testnet_base_v3',
  partition,
  range: { first, last },
});
const bus = await openEmbeddedBus({ directory: mkdtempSync(join(tmpdir(), 'tonhouse-test-')) });
await bus.establish(identity);
afterAll(() => bus.close());
const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

it('the store is asked once: what this process confirms is known from then on', async () => {
  const { asked, client } = storeOf({ last: 4 });
  const news = new ConfirmedNews();
  const pointers = { of: async () => ({ version: 3 }) };
  const needed = neededStore({ bus, client, identity, projection, news, pointers });
  news.announce('base', told(4, 4));
  await needed.databaseWith('base', 4);
  expect(asked.times).toBe(1);
  let isDone = false;
  const waiting = needed.databaseWith('base', 6).then(() => {
    isDone = true;
  });
  await pause();
  news.announce('base', told(5, 5));
  await pause();
  expect([isDone, asked.times]).toEqual([false, 1]);
  news.announce('base', told(6, 6));
  await waiting;
  expect(asked.times).toBe(1);
  expect([...asked.databases]).toEqual(['testnet_base_v3']);
});

it('a step counts when every partition has confirmed it', async () => {
  const { asked, client } = storeOf({ last: 4 });
  const news = new ConfirmedNews();
  const pointers = { of: async () => ({ version: 3 }) };
  const parted = { name: 'base', order: { partitions: 2 } } as TableProjection;
  const needed = neededStore({
    bus,
    client,
    identity,
    projection: { name: 'actions', needs: [parted] } as unknown as TableProjection,
    news,
    pointers,
  });
  for (const partition of [0, 1]) news.announce('base', told(4, 4, partition));
  await needed.databaseWith('base', 4);
  const looks = asked.times;
  let isDone = false;
  const waiting = needed.databaseWith('base', 5).then(() => {
    isDone = true;
  });
  news.announce('base', told(5, 5, 1));
  await pause();
  expect(isDone).toBe(false);
  news.announce('base', told(5, 5, 0));
  await waiting;
  expect(asked.times).toBe(looks);
});

it('the returned database is the one that has the step, even if another version is served a moment later', async () => {
  const { client } = storeOf({ last: 4 });
  const news = new ConfirmedNews();
  let looks = 0;
  const pointers = { of: async () => ({ version: looks++ === 0 ? 3 : 4 }) };
  const needed = neededStore({ bus, client, identity, projection, news, pointers });
  expect(await needed.databaseWith('base', 4)).toBe('testnet_base_v3');
});

it('polls until the rows of another process are visible', async () => {
  const confirmed = { last: 4 };
  const { client } = storeOf(confirmed);
  const pointers = { of: async () => ({ version: null }) };
  const needed = neededStore({ bus, client, identity, projection, news: new ConfirmedNews(), pointers });
  const waiting = needed.databaseWith('base', 6);
  confirmed.last = 6;
  await waiting;
});

it('a consulted projection is waited for as long as a process writes what it reads', async () => {
  const { client } = storeOf({ last: 4 });
  const reads = 'detections';
  const consulted = { name: 'detections', reads, order: { partitions: 1 } } as TableProjection;
  const actions = { name: 'actions', consults: [consulted] } as unknown as TableProjection;
  const pointers = { of: async () => ({ version: 3 }) };
  const needed = neededStore(
    { bus, client, identity, projection: actions, pointers },
    { fed: 600_000, unfed: 10 },
  );
  const writer = await bus.writer(reads, 'a server', 60_000);
  let isOver = false;
  const waiting = needed.consult('detections', 6).then((found) => {
    isOver = true;
    return found;
  });
  await pause();
  expect(isOver).toBe(false);
  await writer.release();
  expect(await waiting).toEqual({ database: 'testnet_detections_v3', last: 4 });
});
