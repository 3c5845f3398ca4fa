import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginTenure, noteWriting, RangeLostError, wasCutOff } from '../../../src/engine/sink/fence.ts';
import { createSink, type Sink } from '../../../src/engine/sink/sink.ts';
import type { JournalEntry } from '../../../src/log/port.ts';
import { createStoreClient, type StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';
import { StoreProxy } from '../../simulation/chaos/store-proxy.ts';
import {
  contents,
  createFixture,
  DEFINITION,
  fixtureRepairs,
  gateFixture,
  makeBatch,
  TestJournal,
} from './sink-fixture.ts';

/** An owner that is stopped, and goes on when the next owner of its lane has long confirmed. */
const never = new AbortController().signal;
const ROWS = 2_000;
const DATABASE = 'fence_test';
const route = 'test/fence';
const repairs = fixtureRepairs();

/** A journal that keeps its caller waiting once an entry is written, as a process that is stopped there. */
class StoppingJournal extends TestJournal {
  readonly #resumed = Promise.withResolvers<void>();
  readonly #stopped = Promise.withResolvers<JournalEntry>();
  readonly stopped = this.#stopped.promise;
  readonly #attempt: number;

  constructor(attempt: number) {
    super();
    this.#attempt = attempt;
  }

  override async begin(entry: JournalEntry): Promise<void> {
    await super.begin(entry);
    if (entry.attempt !== this.#attempt) return;
    this.#stopped.resolve(entry);
    await this.#resumed.promise;
  }

  resume(): void {
    this.#resumed.resolve();
  }
}

describe.each([
  { by: 'a condition of each insert', withGate: false },
  { by: 'the gates of the landing tables', withGate: true },
])('an owner whose lane was taken over, refused by $by', ({ withGate }) => {
  let store: TestStore;
  let proxy: StoreProxy;
  let proxied: StoreClient;
  let reference: Record<string, string>;
  let isGated = false;

  const sinkOptions = (client: StoreClient) => ({
    client,
    database: DATABASE,
    fences: `${DATABASE}.fences`,
    group: 'decode',
    definition: DEFINITION,
    repairs,
    backOffMs: 10,
    isGated,
  });
  const sinkOf = (client: StoreClient): Sink => createSink(sinkOptions(client));
  const write = (client: StoreClient, journal: TestJournal) =>
    sinkOf(client)
      .write(makeBatch(0, ROWS), journal, never)
      .catch((error: unknown) => error);
  const recover = (entry: JournalEntry) =>
    sinkOf(store.client).recover(entry, new TestJournal(), async () => makeBatch(0, ROWS), never);

  const begin = async () => {
    await createFixture(store.client, DATABASE);
    if (withGate) isGated = await gateFixture(store.client, DATABASE);
    expect(isGated).toBe(withGate);
  };

  beforeAll(async () => {
    store = await openTestStore('fence_test');
    proxy = await StoreProxy.start(Number(new URL(store.url).port));
    proxied = createStoreClient({ ...store.connection, url: proxy.url });
    await begin();
    await sinkOf(store.client).write(makeBatch(0, ROWS), new TestJournal(), never);
    reference = await contents(store.client, DATABASE);
  });
  beforeEach(begin);
  afterAll(async () => {
    await proxied?.close();
    await proxy?.stop();
    await store?.stop();
  });

  it('writes nothing if it was stopped between its journal entry and its insert', async () => {
    const journal = new StoppingJournal(1);
    const writing = write(store.client, journal);
    await recover(await journal.stopped);
    journal.resume();
    expect(await writing).toBeInstanceOf(RangeLostError);
    expect(await contents(store.client, DATABASE)).toEqual(reference);
  });

  it('writes nothing through requests that the network delayed', async () => {
    const journal = new TestJournal();
    proxy.set('held');
    const writing = write(proxied, journal);
    await expect.poll(() => journal.begun).toHaveLength(1);
    // The data that it sends is on its way by then.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await recover(journal.begun[0] as JournalEntry);
    proxy.set('open');
    expect(await writing).toBeInstanceOf(Error);
    expect(await contents(store.client, DATABASE)).toEqual(reference);
  });

  it('writes nothing under a name of its own that the next owner does not know, once that one has begun', async () => {
    const sinkFor = (generation: number) => {
      const tenure = { name: `${DATABASE}:fill/0/`, generation };
      const group = `fill/0/${generation}`;
      return { tenure, sink: createSink({ ...sinkOptions(store.client), group, tenure }) };
    };
    const [first, second] = [sinkFor(3), sinkFor(4)];
    const journal = new StoppingJournal(1);
    const writing = first.sink.write(makeBatch(0, ROWS), journal, never).catch((error: unknown) => error);
    await journal.stopped;
    const noted = { client: store.client, fences: `${DATABASE}.fences` };
    await noteWriting({ ...noted, tenure: first.tenure }, 'begun', never);
    await beginTenure({ ...noted, tenure: second.tenure }, never);
    expect(await wasCutOff({ ...noted, tenure: second.tenure })).toBe(true);
    await noteWriting({ ...noted, tenure: second.tenure }, 'done', never);
    expect(await wasCutOff({ ...noted, tenure: second.tenure })).toBe(false);
    await second.sink.write(makeBatch(0, ROWS), new TestJournal(), never);
    journal.resume();
    expect(await writing).toBeInstanceOf(RangeLostError);
    expect(await contents(store.client, DATABASE)).toEqual(reference);
  });

  it('deletes nothing if it was stopped between measuring a range and deleting it', async () => {
    const first = new TestJournal();
    await sinkOf(store.client).write(makeBatch(0, ROWS), first, never);
    await store.client.command(`DELETE FROM ${DATABASE}.items WHERE mc_seqno = 5`, { route });
    const journal = new StoppingJournal(2);
    const recovering = sinkOf(store.client)
      .recover(first.confirmed[0] as JournalEntry, journal, async () => makeBatch(0, ROWS), never)
      .catch((error: unknown) => error);
    await recover(await journal.stopped);
    journal.resume();
    expect(await recovering).toBeInstanceOf(RangeLostError);
    expect(await contents(store.client, DATABASE)).toEqual(reference);
  });

  it('sends nothing once its lease has lapsed', async () => {
    const journal = new TestJournal();
    journal.onBegin = () => {
      journal.leftMs = 0;
    };
    expect(await write(store.client, journal)).toBeInstanceOf(RangeLostError);
    const { rows } = await store.client.queryRows(`SELECT count() FROM ${DATABASE}.items`, { route });
    expect(rows).toEqual([['0']]);
  });

  it('gives up a store that is away when its lease lapses', async () => {
    const away = createStoreClient({ url: 'http://127.0.0.1:1' });
    const journal = new TestJournal();
    const lapses = performance.now() + 200;
    Object.defineProperty(journal, 'leftMs', { get: () => Math.max(0, lapses - performance.now()) });
    expect(await write(away, journal)).toBeInstanceOf(RangeLostError);
    await away.close();
  });

  it('breaks off what is under way when its lease lapses, and not when the lease is renewed', async () => {
    const journal = new TestJournal();
    const renewals = [40, 40, 40, 0];
    Object.defineProperty(journal, 'leftMs', { get: () => renewals.shift() ?? 0 });
    proxy.set('held');
    expect(await write(proxied, journal)).toBeInstanceOf(RangeLostError);
    proxy.set('open');
    expect(renewals).toEqual([]);
  });
});
