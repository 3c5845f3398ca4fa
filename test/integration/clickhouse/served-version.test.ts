import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { createVersion } from '../../../src/engine/versions/create-version.ts';
import { PointerWatch } from '../../../src/engine/versions/pointer-watch.ts';
import { prepareStore } from '../../../src/engine/versions/prepare-store.ts';
import { ANNOUNCE_MS, setPointer } from '../../../src/engine/versions/projection-pointer.ts';
import { ServedProjections } from '../../../src/engine/versions/served-projections.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { LogIdentity } from '../../../src/log/port.ts';
import { createStoreClient } from '../../../src/platform/clickhouse/client.ts';
import { Shutdown } from '../../../src/platform/observability/shutdown.ts';
import { confirmSteps } from '../../helpers/activity-by-sql.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';

const NETWORK = 'test_served_version';
const IDENTITY: LogIdentity = {
  network: NETWORK,
  id: 'test',
  epochSize: 40,
  lanes: 1,
  facts: { continuity: 'chain' },
};
/** Followers look at pointers and at what is visible once in this time at least, ms. */
const POLLED_MS = 1_000;

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore(NETWORK);
  const { client } = store;
  await prepareStore(client, IDENTITY, [BASE]);
  await createVersion({ client, identity: IDENTITY, projection: BASE, version: 2 });
  for (const version of [1, 2])
    await confirmSteps(client, getDatabase(IDENTITY, BASE, version), { first: 1, last: 9, lane: 0 });
});
afterAll(() => store?.stop());

/** A projection that is followed; `onQuery` hears of the statements that this takes, as they end. */
async function followed(onQuery: (route: string) => void = () => {}, fixed?: Pick<PointerWatch, 'of'>) {
  const client = createStoreClient({ ...store.connection, onQuery });
  const shutdown = new Shutdown();
  const log = { debug() {}, info() {}, warn: () => expect.fail('warned'), error() {} };
  const session = { log, shutdown, signal: shutdown.signal };
  const pointers = fixed ?? new PointerWatch(client, NETWORK);
  const scope = { client, identity: IDENTITY, pointers };
  const served = await ServedProjections.start(scope, [BASE], session);
  shutdown.add('client', () => client.close());
  const version = () => {
    const view = served.view(BASE.name);
    return view.state === 'served' ? view.version : null;
  };
  return { version, pointers, close: () => shutdown.close((part) => expect.fail(part)) };
}

const announce = (version: number) =>
  setPointer(store.client, { network: NETWORK, projection: BASE.name, version }, ANNOUNCE_MS);

it('goes over to the announced version once, though others share its looks', async () => {
  const { version, pointers, close } = await followed();
  const seen = [version()];
  const watching = setInterval(() => {
    if (seen.at(-1) !== version()) seen.push(version());
    // As lanes of the same process do, which follow the pointers too.
    void pointers.of(BASE.name);
  }, 1);
  try {
    for (const [index, phase] of [500, 650, 800].entries()) {
      // The moment is a whole number of seconds later: this far after a poll.
      await sleep((phase - (performance.now() % POLLED_MS) + POLLED_MS) % POLLED_MS);
      await announce(index % 2 === 0 ? 2 : 1);
      await sleep(ANNOUNCE_MS + POLLED_MS + 200);
    }
  } finally {
    clearInterval(watching);
    await close();
  }
  expect(seen).toEqual([1, 2, 1, 2]);
}, 60_000);

it("does not go back if the store's moment is a little later than its own clock", async () => {
  // Each look finds the moment a few milliseconds ahead, though it has come by what the one before said.
  const pointers = { of: async () => ({ version: 1, next: { version: 2, at: performance.now() + 5 } }) };
  const { version, close } = await followed(undefined, pointers);
  try {
    await expect.poll(version, { interval: 5, timeout: 3_000 }).toBe(2);
    const seen = new Set<number | null>();
    for (let look = 0; look < 400; look++) {
      await sleep(5);
      seen.add(version());
    }
    expect([...seen]).toEqual([2]);
  } finally {
    await close();
  }
});

it('asks nothing more once it has ended, though a look was under way that found a version announced', async () => {
  let ending: Promise<void> | null = null;
  let isAnnounced = false;
  let afterwards = 0;
  let hasEnded = false;
  const { close } = await followed((route) => {
    if (hasEnded) afterwards++;
    if (!isAnnounced || route !== 'versions') return;
    // Between the answer of the store and what the follower makes of it.
    ending ??= close();
  });
  await announce(1);
  isAnnounced = true;
  await expect.poll(() => ending !== null, { timeout: 5_000 }).toBe(true);
  await ending;
  hasEnded = true;
  await sleep(2 * POLLED_MS);
  expect(afterwards).toBe(0);
});
