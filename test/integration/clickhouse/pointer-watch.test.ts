import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { PointerWatch } from '../../../src/engine/versions/pointer-watch.ts';
import { type Pointer, setPointer } from '../../../src/engine/versions/projection-pointer.ts';
import { createStoreClient, type StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { migrateMeta } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../clickhouse');
const NETWORK = 'test_pointer_watch';
/** Followers share a look for less. */
const LATER_MS = 700;
/** The same while moves are announced, without a move. */
const QUIET_MS = 5_100;

/** Time between an announcement and its moment: less than followers share a poll for. */
const ANNOUNCED_MS = 500;

let store: TestStore;
let directory: string;
const clients: StoreClient[] = [];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-pointers-'));
  store = await openTestStore(NETWORK);
  await migrateMeta(store.client, { network: NETWORK, directory: MIGRATIONS });
  for (const version of [1, 2])
    await store.client.command(`CREATE DATABASE ${NETWORK}_base_v${version}`, { route: 'test/pointers' });
  await setPointer(store.client, { network: NETWORK, projection: 'base', version: 1 });
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await store?.stop();
  rmSync(directory, { recursive: true, force: true });
});

// The clock of this process stands still until a test moves it: on a busy machine a poll takes longer than two are apart.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** A follower of the pointers with its own client, and its number of polls. */
function followed(isLocal: boolean) {
  let looks = 0;
  const onQuery = (route: string) => {
    if (route === 'versions') looks++;
  };
  const client = createStoreClient({ ...store.connection, onQuery, ...(isLocal && { directory }) });
  clients.push(client);
  const watch = new PointerWatch(client, NETWORK);
  return { client, served: async () => (await watch.of('base')).version, looks: () => looks };
}

it('polls rarely until a process of this machine notifies of a move, then immediately', async () => {
  const [follower, other] = [followed(true), followed(true)];
  expect(await follower.served()).toBe(1);
  vi.advanceTimersByTime(LATER_MS);
  expect(await follower.served()).toBe(1);
  expect(follower.looks()).toBe(1);
  await setPointer(other.client, { network: NETWORK, projection: 'base', version: 2 });
  expect(await follower.served()).toBe(2);
  // The move may still be under way.
  vi.advanceTimersByTime(LATER_MS);
  await follower.served();
  expect(follower.looks()).toBe(3);
});

it('knows by an older look that the moment of what was announced has come', async () => {
  const announced = 'test_pointer_watch_announced';
  await migrateMeta(store.client, { network: announced, directory: MIGRATIONS });
  for (const version of [1, 2])
    await store.client.command(`CREATE DATABASE ${announced}_base_v${version}`, { route: 'test/pointers' });
  const move = (version: number, inMs: number) =>
    setPointer(store.client, { network: announced, projection: 'base', version }, inMs);
  let looks = 0;
  const client = createStoreClient({ ...store.connection, onQuery: () => void looks++ });
  clients.push(client);
  let watch: PointerWatch;
  let first: Pointer;
  do {
    // The store's clock runs: if its answer takes too long, the move is announced again.
    await move(1, 0);
    await move(2, ANNOUNCED_MS);
    looks = 0;
    watch = new PointerWatch(client, announced);
    first = await watch.of('base');
  } while (first.version !== 1);
  expect(first).toMatchObject({ version: 1, next: { version: 2 } });
  vi.advanceTimersByTime(ANNOUNCED_MS);
  expect(await watch.of('base')).toEqual({ version: 2, next: null });
  expect(looks).toBe(1);
});

it('polls at an interval if the store is on another machine', async () => {
  const follower = followed(false);
  await follower.served();
  vi.advanceTimersByTime(LATER_MS);
  await follower.served();
  expect(follower.looks()).toBe(2);
});

it('finds in some seconds what was moved without a word', async () => {
  const quiet = 'test_pointer_watch_quiet';
  await migrateMeta(store.client, { network: quiet, directory: MIGRATIONS });
  await store.client.command(`CREATE DATABASE ${quiet}_base_v1`, { route: 'test/pointers' });
  const watch = new PointerWatch(followed(true).client, quiet);
  const served = async () => (await watch.of('base')).version;
  expect(await served()).toBeNull();
  // Its client knows of no directory.
  await setPointer(store.client, { network: quiet, projection: 'base', version: 1 });
  vi.advanceTimersByTime(LATER_MS);
  expect(await served()).toBeNull();
  vi.advanceTimersByTime(QUIET_MS - LATER_MS);
  expect(await served()).toBe(1);
});
