import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSink, type Sink, SinkMismatchError } from '../../../src/engine/sink/sink.ts';
import type { SinkDefinition } from '../../../src/engine/sink/sink-definition.ts';
import { readConfirmed } from '../../../src/engine/watermark/confirmed-range.ts';
import { createStoreClient } from '../../../src/platform/clickhouse/client.ts';
import { nativeColumn, nativeTable } from '../../helpers/native-values.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';
import {
  contents,
  createFixture,
  DEFINITION,
  fixtureRepairs,
  makeBatch,
  TestJournal,
} from './sink-fixture.ts';

let store: TestStore;
const repairs = fixtureRepairs();
const route = 'test/sink';
const never = new AbortController().signal;
const ROWS = 2_000;

beforeAll(async () => {
  store = await openTestStore('sink_test');
});
afterAll(() => store?.stop());

function sinkFor(database: string, definition: SinkDefinition = DEFINITION, client = store.client): Sink {
  return createSink({
    client,
    database,
    fences: `${database}.fences`,
    group: 'decode',
    definition,
    repairs,
    backOffMs: 10,
  });
}

async function setUp(database: string): Promise<{ sink: Sink; journal: TestJournal }> {
  await createFixture(store.client, database);
  return { sink: sinkFor(database), journal: new TestJournal() };
}

/** Contents of a database after batches 0 … count-1, each written once and undisturbed. */
async function undisturbed(count: number): Promise<Record<string, string>> {
  const { sink, journal } = await setUp('sink_test_reference');
  for (let i = 0; i < count; i++) await sink.write(makeBatch(i, ROWS), journal, never);
  return contents(store.client, 'sink_test_reference');
}

describe('write', () => {
  it('journals the expected rows, lands the batch in every target and confirms', async () => {
    const { sink, journal } = await setUp('sink_test_write');
    await sink.write(makeBatch(0, ROWS), journal, never);
    expect(journal.confirmed).toHaveLength(1);
    const entry = journal.confirmed[0]!;
    expect(entry).toMatchObject({
      lane: 0,
      from: 0,
      next: 100,
      firstPosition: 0,
      lastPosition: 9,
      attempt: 1,
    });
    expect(entry.expected).toMatchObject({ items: ROWS, item_ends: 2 * ROWS, steps: 10 });
    expect(await sink.verify(entry, never)).toEqual([]);
    const counts = await store.client.queryRows(
      'SELECT (SELECT count() FROM sink_test_write.items_marked), (SELECT count() FROM sink_test_write.items_noted)',
      { route },
    );
    expect(counts.rows).toEqual([[String(entry.expected.items_marked), String(entry.expected.items_noted)]]);
    expect(await readConfirmed(store.client, 'sink_test_write')).toEqual({ first: 0, last: 9 });
  });

  it('reports that readers see the range before the disk and the journal have confirmed it', async () => {
    const database = 'sink_test_visible';
    const { journal } = await setUp(database);
    const [told, disk] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let flushes = 0;
    const client = { ...store.client, flush: () => (++flushes === 1 ? Promise.resolve() : disk.promise) };
    const writing = sinkFor(database, DEFINITION, client).write(
      makeBatch(0, ROWS),
      journal,
      never,
      told.resolve,
    );
    await told.promise;
    expect(await readConfirmed(store.client, database)).toEqual({ first: 0, last: 9 });
    expect(journal.pending).toMatchObject({ attempt: 1 });
    expect(journal.confirmed).toEqual([]);
    disk.resolve();
    await writing;
    expect(flushes).toBe(2);
    expect(journal.confirmed).toHaveLength(1);
  });

  it('confirms a batch without rows', async () => {
    const { sink, journal } = await setUp('sink_test_empty');
    await sink.write({ ...makeBatch(3, ROWS), tables: [] }, journal, never);
    expect(journal.confirmed[0]?.expected).toEqual({
      items: 0,
      items_marked: 0,
      items_noted: 0,
      item_ends: 0,
      steps: 0,
    });
    expect(await readConfirmed(store.client, 'sink_test_empty')).toEqual({ first: 30, last: 39 });
  });

  it('refuses a table that lands nowhere before it journals anything', async () => {
    const { sink, journal } = await setUp('sink_test_stranger');
    const stranger = nativeTable('stranger', [nativeColumn('a', 'UInt8', [1])], 1);
    const batch = { ...makeBatch(0, ROWS), tables: [stranger] };
    await expect(sink.write(batch, journal, never)).rejects.toThrow('stranger');
    expect(journal.begun).toEqual([]);
  });

  it('throws what will not go away, and leaves the range to recovery', async () => {
    const { sink, journal } = await setUp('sink_test_broken');
    await store.client.command('DROP TABLE sink_test_broken.land_steps', { route });
    await expect(sink.write(makeBatch(0, ROWS), journal, never)).rejects.toMatchObject({ code: 60 });
    expect(journal.pending).toMatchObject({ attempt: 1 });
    expect(journal.confirmed).toEqual([]);
  });

  it('retries while the store is away, until it is aborted', async () => {
    const client = createStoreClient({ url: 'http://127.0.0.1:1' });
    const sink = createSink({
      client,
      database: 'sink_test_away',
      fences: 'sink_test_away.fences',
      group: 'decode',
      definition: DEFINITION,
      repairs,
      backOffMs: 5,
    });
    const journal = new TestJournal();
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('stopping')), 150);
    await expect(sink.write(makeBatch(0, ROWS), journal, stop.signal)).rejects.toThrow();
    expect(stop.signal.aborted).toBe(true);
    expect(journal.pending).toMatchObject({ attempt: 1 });
    await client.close();
  });
});

describe('recover', () => {
  it('confirms a whole range without inserting again', async () => {
    const { sink, journal } = await setUp('sink_test_whole');
    await sink.write(makeBatch(0, ROWS), journal, never);
    const before = await contents(store.client, 'sink_test_whole');
    const entry = journal.confirmed[0]!;
    await sink.recover(entry, journal, () => expect.fail('nothing is to be rebuilt'), never);
    expect(journal.confirmed).toEqual([entry, entry]);
    expect(await contents(store.client, 'sink_test_whole')).toEqual(before);
  });

  it('makes a range whole from which any target misses rows, and touches no other range', async () => {
    const reference = await undisturbed(3);
    for (const table of ['items', 'items_marked', 'items_noted', 'item_ends', 'steps']) {
      const database = `sink_test_missing_${table}`;
      const { sink, journal } = await setUp(database);
      for (let i = 0; i < 3; i++) await sink.write(makeBatch(i, ROWS), journal, never);
      await store.client.command(`DELETE FROM ${database}.${table} WHERE mc_seqno = 15`, { route });
      const entry = journal.confirmed[1]!;
      await sink.recover(entry, journal, async () => makeBatch(1, ROWS), never);
      expect(journal.confirmed[3]).toEqual({ ...entry, attempt: 2 });
      expect(await contents(store.client, database)).toEqual(reference);
    }
  });

  it('removes rows that were inserted twice', async () => {
    const reference = await undisturbed(2);
    const { sink, journal } = await setUp('sink_test_doubled');
    for (const index of [0, 1, 1]) await sink.write(makeBatch(index, ROWS), journal, never);
    await sink.recover(journal.confirmed[2]!, journal, async () => makeBatch(1, ROWS), never);
    expect(await contents(store.client, 'sink_test_doubled')).toEqual(reference);
  });

  it('inserts a range of which nothing arrived', async () => {
    const reference = await undisturbed(1);
    const { sink, journal } = await setUp('sink_test_nothing');
    const { sink: elsewhere, journal: other } = await setUp('sink_test_scratch');
    await elsewhere.write(makeBatch(0, ROWS), other, never);
    await sink.recover(other.confirmed[0]!, journal, async () => makeBatch(0, ROWS), never);
    expect(await contents(store.client, 'sink_test_nothing')).toEqual(reference);
  });

  it('repairs derived targets although the counted ones are whole', async () => {
    const reference = await undisturbed(1);
    const { sink, journal } = await setUp('sink_test_derived');
    await sink.write(makeBatch(0, ROWS), journal, never);
    await store.client.command('TRUNCATE TABLE sink_test_derived.latest', { route });
    await store.client.command('DELETE FROM sink_test_derived.sums WHERE key % 2 = 0', { route });
    await sink.recover(journal.confirmed[0]!, journal, () => expect.fail('nothing is to be rebuilt'), never);
    expect(await contents(store.client, 'sink_test_derived')).toEqual(reference);
  });

  it('ends an insert of an earlier attempt before it measures', async () => {
    const reference = await undisturbed(1);
    const database = 'sink_test_straggler';
    const { sink, journal } = await setUp(database);
    // A view that takes its time: the rows of this attempt would arrive after the range has been measured.
    await store.client.command(`DROP VIEW ${database}.steps_mv`, { route });
    await store.client.command(
      `CREATE MATERIALIZED VIEW ${database}.steps_mv TO ${database}.steps AS
       SELECT mc_seqno, name FROM ${database}.land_steps WHERE sleepEachRow(0.2) = 0`,
      { route },
    );
    const stop = new AbortController();
    const first = sink.write(makeBatch(0, ROWS), journal, stop.signal).catch((error: unknown) => error);
    const running = async () =>
      (
        await store.client.queryRows(
          `SELECT count() FROM system.processes WHERE startsWith(query_id, '${database}:decode:0:0:a1')`,
          { route },
        )
      ).rows;
    await expect.poll(running).toEqual([['1']]);
    stop.abort(new Error('the process ends'));
    await first;
    expect(journal.confirmed).toEqual([]);
    await store.client.command(`DROP VIEW ${database}.steps_mv`, { route });
    await store.client.command(
      `CREATE MATERIALIZED VIEW ${database}.steps_mv TO ${database}.steps AS SELECT * FROM ${database}.land_steps`,
      { route },
    );
    await sink.recover(journal.pending!, journal, async () => makeBatch(0, ROWS), never);
    expect(await running()).toEqual([['0']]);
    expect(await contents(store.client, database)).toEqual(reference);
  });

  it('refuses to confirm another range than the journalled one', async () => {
    const { sink, journal } = await setUp('sink_test_other_range');
    await sink.write(makeBatch(0, ROWS), journal, never);
    await store.client.command('TRUNCATE TABLE sink_test_other_range.items', { route });
    const entry = journal.confirmed[0]!;
    const rebuild = async () => ({ ...makeBatch(0, ROWS), next: 99 });
    await expect(sink.recover(entry, journal, rebuild, never)).rejects.toThrow('next 99');
    expect(journal.confirmed).toHaveLength(1);
  });

  it('finds a definition that does not describe the views', async () => {
    const { journal } = await setUp('sink_test_wrong');
    const wrong: SinkDefinition = {
      ...DEFINITION,
      landings: DEFINITION.landings.map((landing) => ({
        ...landing,
        counted: landing.counted.map(({ table, shard }) => ({ table, shard })),
      })),
    };
    const sink = sinkFor('sink_test_wrong', wrong);
    await sink.write(makeBatch(0, ROWS), journal, never);
    const error = await sink
      .recover(journal.confirmed[0]!, journal, async () => makeBatch(0, ROWS), never)
      .catch((inner: unknown) => inner);
    expect(error).toBeInstanceOf(SinkMismatchError);
    expect((error as SinkMismatchError).differences.map((row) => row.table)).toEqual([
      'items_marked',
      'items_noted',
      'item_ends',
    ]);
  });
});
