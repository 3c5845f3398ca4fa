import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSink } from '../../../src/engine/sink/sink.ts';
import { readConfirmed } from '../../../src/engine/watermark/confirmed-range.ts';
import { tableStatements } from '../../../src/platform/clickhouse/migrations/cluster-tables.ts';
import { startTestShards, type TestShards } from '../../helpers/clickhouse-shards.ts';
import {
  contents,
  DEFINITION,
  fixtureRepairs,
  makeBatch,
  STEPS_PER_BATCH,
  schema,
  TestJournal,
} from './sink-fixture.ts';

const route = 'test/cluster';
const never = new AbortController().signal;
const ROWS = 2_000;
const BATCHES = 3;
/** A shard that ended is away for so long. */
const AWAY_MS = 2_500;
const KEYS = { confirmed: '0', fences: '0', steps: 'mc_seqno', items_noted: 'note', '*': 'key' };

/** The fixture's statements as a migration file would have them. */
function asMigrations(db: string): string[] {
  return schema(db)
    .slice(2)
    .map((statement) =>
      statement
        .replaceAll(`${db}.`, '{db}.')
        .replace(/^CREATE (TABLE|MATERIALIZED VIEW) (\S+)/, 'CREATE $1 IF NOT EXISTS $2{cluster}')
        .replace(/ENGINE = (\w*MergeTree(\(\w+\))?)/, 'ENGINE = {engine:$1}'),
    );
}

describe('the sink on a ClickHouse cluster of two shards', () => {
  let shards: TestShards;
  beforeAll(async () => {
    shards = await startTestShards();
  }, 600_000);
  afterAll(() => shards?.stop());

  const sinkFor = (database: string) =>
    createSink({
      client: shards.client,
      database,
      fences: `${database}.fences`,
      group: 'decode',
      definition: DEFINITION,
      repairs: fixtureRepairs(),
      backOffMs: 10,
    });

  /** A database with batches 0 … BATCHES-1, each written once and undisturbed. */
  async function written(database: string, batches = BATCHES) {
    const { client, cluster } = shards;
    const values = { database, meta: database, epochSize: 40, cluster };
    await client.command(`CREATE DATABASE ${database} ON CLUSTER '${cluster}'`, { route });
    for (const text of asMigrations(database))
      for (const one of tableStatements(text, values, KEYS)) await client.command(one, { route });
    const sink = sinkFor(database);
    const journal = new TestJournal();
    for (let i = 0; i < batches; i++) await sink.write(makeBatch(i, ROWS), journal, never);
    return { sink, journal, whole: await contents(client, database) };
  }

  const onShard = (shard: number, sql: string) =>
    shards.servers[shard]?.command(sql, { route, settings: { lightweight_deletes_sync: 2 } });

  const LAST = `mc_seqno BETWEEN ${(BATCHES - 1) * STEPS_PER_BATCH} AND ${BATCHES * STEPS_PER_BATCH - 1}`;

  it('spreads a batch, and counts it over all shards', async () => {
    const { sink, journal } = await written('cluster_test_whole');
    const entry = journal.confirmed.at(-1);
    if (!entry) throw new Error('nothing was confirmed');
    expect(await sink.verify(entry, never)).toEqual([]);
    const counts = await Promise.all(
      shards.servers.map(async (server) =>
        Number(
          (await server.queryRows('SELECT count() FROM cluster_test_whole.items_local', { route }))
            .rows[0]?.[0],
        ),
      ),
    );
    expect(counts.reduce((a, b) => a + b)).toBe(BATCHES * ROWS);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(await readConfirmed(shards.client, 'cluster_test_whole')).toEqual({ first: 0, last: 29 });
  });

  it('finds what one shard never got, and makes the range whole', async () => {
    const { sink, journal, whole } = await written('cluster_test_lost');
    const entry = journal.confirmed.at(-1);
    if (!entry) throw new Error('nothing was confirmed');
    // As after a death of the second shard during the insert: it has its part of some tables, nothing of others.
    await onShard(1, `DELETE FROM cluster_test_lost.items_local WHERE ${LAST}`);
    await onShard(1, `DELETE FROM cluster_test_lost.item_ends_local WHERE ${LAST}`);
    expect((await sink.verify(entry, never)).map(({ table }) => table)).toEqual(['items', 'item_ends']);
    await sink.recover(entry, journal, async () => makeBatch(BATCHES - 1, ROWS), never);
    expect(journal.confirmed.at(-1)).toMatchObject({ attempt: 2 });
    expect(await contents(shards.client, 'cluster_test_lost')).toEqual(whole);
  });

  it('continues after a shard is killed within inserts and restarts', async () => {
    const { whole } = await written('cluster_test_undisturbed', 6);
    const { sink, journal } = await written('cluster_test_killed', 0);
    const killed = Promise.withResolvers<void>();
    const endSupervision = shards.supervise(AWAY_MS);
    const disturbed = (async () => {
      for (let i = 0; i < 6; i++) {
        // Killed while batch 2 is written.
        if (i === 2) setTimeout(() => shards.kill(1).then(killed.resolve, killed.reject), 15);
        await sink.write(makeBatch(i, ROWS), journal, never);
      }
    })();
    await Promise.all([killed.promise, disturbed]);
    await endSupervision();
    expect(journal.confirmed).toHaveLength(6);
    expect(journal.begun.length).toBeGreaterThan(6);
    expect(await contents(shards.client, 'cluster_test_killed')).toEqual(whole);
  });

  it('repairs derived tables from all shards', async () => {
    const { sink, journal, whole } = await written('cluster_test_derived');
    const entry = journal.confirmed.at(-1);
    if (!entry) throw new Error('nothing was confirmed');
    for (const table of ['latest', 'sums'])
      await onShard(0, `TRUNCATE TABLE cluster_test_derived.${table}_local`);
    expect(await contents(shards.client, 'cluster_test_derived')).not.toEqual(whole);
    await sink.recover(entry, journal, async () => makeBatch(BATCHES - 1, ROWS), never);
    expect(await contents(shards.client, 'cluster_test_derived')).toEqual(whole);
  });
});
