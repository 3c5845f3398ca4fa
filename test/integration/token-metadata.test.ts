import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContentFetcher } from '../../src/api/metadata/content-fetcher.ts';
import { readContents, writeContents } from '../../src/api/metadata/content-records.ts';
import { OverrideList } from '../../src/api/metadata/override-list.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { guardedFetch } from '../../src/platform/fetch/guarded-fetch.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { openTestStore, type TestStore } from '../helpers/test-store.ts';

/* Metadata that tokens link to, fetched from a real server and kept in a real store; overrides of the operator. */

const NETWORK = 'metadata_test';
const LIMITS = { timeoutMs: 60_000, maxBytes: 10_000, maxRedirects: 5 };
const ADDRESS = `0:${'A1'.repeat(32)}`;
const silent = { warn: () => expect.unreachable('nothing fails') };

describe('metadata of tokens', () => {
  let store: TestStore;
  const asked: string[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url!);
    if (url === '/good') response.end('{"symbol":"GOOD"}');
    else if (url === '/bad') response.end('no JSON');
    else response.writeHead(500).end();
  });
  let here: string;
  beforeAll(async () => {
    store = await openTestStore(NETWORK);
    const directory = resolve(import.meta.dirname, '../../clickhouse');
    await migrate(store.client, {
      network: NETWORK,
      projection: 'base',
      version: 1,
      directory,
      epochSize: 40,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, 300_000);
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await store.stop();
  });

  const read = (links: readonly string[]) => readContents(store.client, NETWORK, links);

  it('links are fetched once, kept, and asked for again when it is time', async () => {
    let now = 1_000_000;
    const metrics = new Metrics();
    const fetcher = new ContentFetcher({
      fetch: (link, signal) => guardedFetch(link, LIMITS, { signal, isAllowed: () => true }),
      read,
      write: (records) => writeContents(store.client, NETWORK, records),
      log: silent,
      metrics,
      now: () => now,
    });
    const links = [`${here}/good`, `${here}/bad`, `${here}/lost`, 'ipns://nowhere'];
    const settled = (count: number) =>
      expect.poll(async () => (await read(links)).length, { timeout: 60_000 }).toBe(count);
    fetcher.wanted(links);
    fetcher.wanted(links);
    await settled(4);
    const byLink = async () => new Map((await read(links)).map((record) => [record.link, record]));
    const first = await byLink();
    expect(first.get(links[0]!)).toMatchObject({ content: '{"symbol":"GOOD"}', failures: 0 });
    for (const link of links.slice(1))
      expect(first.get(link)).toMatchObject({ content: '', failures: 1, nextAt: now + 60 });
    expect(asked.toSorted()).toEqual(['/bad', '/good', '/lost']);
    expect(await metrics.text()).toContain('tonhouse_metadata_fetches_total{outcome="status"} 1');

    now += 61;
    fetcher.wanted(links);
    await expect.poll(async () => (await byLink()).get(links[2]!)!.failures, { timeout: 60_000 }).toBe(2);
    expect((await byLink()).get(links[2]!)!.nextAt).toBe(now + 240);
    expect(asked.filter((path) => path === '/good').length).toBe(1);
    fetcher.close();
  }, 300_000);

  it('overrides: the newest of an address counts, and can be taken back', async () => {
    const insert = (columns: string, values: string) =>
      store.client.command(`INSERT INTO ${NETWORK}.token_overrides (${columns}) VALUES (${values})`, {
        route: 'test',
      });
    const found = async () => {
      const list = new OverrideList(store.client, NETWORK, silent);
      await list.start();
      list.close();
      return list.find(ADDRESS);
    };
    expect(await found()).toBe(undefined);
    await insert('address, content, is_scam', `'${ADDRESS}', '{"name":"Not Tether"}', true`);
    expect(await found()).toEqual({ content: { name: 'Not Tether' }, isNsfw: false, isScam: true });
    await insert('address, is_removed', `'${ADDRESS}', true`);
    expect(await found()).toBe(undefined);
  }, 300_000);
});
