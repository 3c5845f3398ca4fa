import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Batch } from '../../../src/engine/sink/batch.ts';
import { createSink, type Sink } from '../../../src/engine/sink/sink.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';
import {
  contents,
  createFixture,
  DEFINITION,
  fixtureRepairs,
  makeBatch,
  TestJournal,
} from './sink-fixture.ts';

let store: TestServer;
/** Time between a repair's read and its write, and within an insert, is long enough for a conflict. */
const SLOWLY = 'sleepEachRow(0.0002) = 0';
const repairs = fixtureRepairs().map((repair) =>
  'corrections' in repair
    ? {
        ...repair,
        corrections: repair.corrections.replace('HAVING value != 0', `HAVING value != 0 AND ${SLOWLY}`),
      }
    : repair,
);
const route = 'test/sink';
const never = new AbortController().signal;
const ROWS = 1_000;
const LANES = 4;

beforeAll(async () => {
  store = await startTestServer();
});
afterAll(() => store?.stop());

/** One sink a lane: they only share the store, as between processes. */
async function setUp(database: string): Promise<readonly Sink[]> {
  await createFixture(store.client, database);
  await store.client.command(`DROP VIEW ${database}.sums_mv`, { route });
  await store.client.command(
    `CREATE MATERIALIZED VIEW ${database}.sums_mv TO ${database}.sums AS
     SELECT key, toInt64(value) AS value FROM ${database}.land_items WHERE ${SLOWLY}`,
    { route },
  );
  return Array.from({ length: LANES }, () =>
    createSink({
      client: store.client,
      database,
      fences: `${database}.fences`,
      group: 'decode',
      definition: DEFINITION,
      repairs,
      backOffMs: 10,
    }),
  );
}

/** One batch a lane; all of them touch the same keys of the derived tables. */
const batches = (): Batch[] =>
  Array.from({ length: LANES }, (_, lane) => ({ ...makeBatch(lane, ROWS), lane }));

async function written(database: string) {
  const sinks = await setUp(database);
  const journals = batches().map(() => new TestJournal());
  await Promise.all(batches().map((batch, lane) => sinks[lane]!.write(batch, journals[lane]!, never)));
  return { sinks, journals };
}

describe('processes side by side', () => {
  it('repair a derived target that all of them touch once, not once each', async () => {
    await written('sink_test_alone');
    const db = 'sink_test_recoveries';
    const { sinks, journals } = await written(db);
    await store.client.command(`TRUNCATE TABLE ${db}.sums`, { route });
    await Promise.all(
      batches().map((batch, lane) =>
        sinks[lane]!.recover(journals[lane]!.confirmed[0]!, journals[lane]!, async () => batch, never),
      ),
    );
    expect(await contents(store.client, db)).toEqual(await contents(store.client, 'sink_test_alone'));
  });

  it('repair a derived target right while another one inserts into it', async () => {
    await written('sink_test_alone');
    const db = 'sink_test_inserts';
    const [sink, other] = await setUp(db);
    const [first, ...rest] = batches();
    if (!first || !sink || !other) throw new Error('no batch');
    const journal = new TestJournal();
    await sink.write(first, journal, never);
    const entry = journal.confirmed[0]!;
    let writing = true;
    const repairing = (async () => {
      while (writing) await sink.recover(entry, journal, async () => first, never);
    })();
    for (const batch of rest) await other.write(batch, new TestJournal(), never);
    writing = false;
    await repairing;
    expect(await contents(store.client, db)).toEqual(await contents(store.client, 'sink_test_alone'));
  });
});
