import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneTable } from '../../../src/engine/versions/clone-table.ts';
import { deferMerges, resumeMerges } from '../../../src/engine/versions/deferred-merges.ts';
import { dropVersion } from '../../../src/engine/versions/drop-version.ts';
import { tableStatements } from '../../../src/platform/clickhouse/migrations/cluster-tables.ts';
import { migrateMeta } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { startTestShards, type TestShards } from '../../helpers/clickhouse-shards.ts';

const route = 'test/clone';
const NETWORK = 'test_clone';
const DIRECTORY = new URL('../../../clickhouse', import.meta.url).pathname;
const FROM = 'test_clone_base_v1';
const STEPS = 40;
const EPOCH = 10;

describe('a table that is cloned on two shards', () => {
  let shards: TestShards;

  /** A table of steps, `EPOCH` a partition, spread by `key`. */
  async function makeTable(database: string, key: string, codec = 'ZSTD(1)'): Promise<void> {
    const { client, cluster } = shards;
    const values = { database, meta: database, epochSize: EPOCH, cluster };
    await client.command(`CREATE DATABASE ${database} ON CLUSTER '${cluster}'`, { route });
    const statement = `CREATE TABLE IF NOT EXISTS {db}.steps{cluster} (mc_seqno UInt32, account UInt32, value String CODEC(${codec}))
      ENGINE = {engine:MergeTree} PARTITION BY intDiv(mc_seqno, {epoch_size}) ORDER BY (account, mc_seqno)`;
    for (const one of tableStatements(statement, values, { steps: key }))
      await client.command(one, { route });
  }

  /** Rows by shard. */
  async function rowsOf(database: string) {
    return Promise.all(
      shards.servers.map(async (server) => {
        const { rows } = await server.queryRows<[number, number, string]>(
          `SELECT mc_seqno, account, value FROM ${database}.steps_local ORDER BY ALL`,
          { route },
        );
        return rows;
      }),
    );
  }

  beforeAll(async () => {
    shards = await startTestShards();
    await makeTable(FROM, 'account');
    await shards.client.command(
      // The second shard has no rows of the last partition.
      `INSERT INTO ${FROM}.steps SELECT number, if(number >= ${STEPS - EPOCH}, number * 2, number), toString(number)
       FROM numbers(${STEPS})`,
      { route },
    );
  }, 600_000);
  afterAll(() => shards?.stop());

  const ALL = [{ first: 0, last: STEPS }];

  it('is linked on every shard where both are made alike', async () => {
    const to = 'test_clone_base_v2';
    await makeTable(to, 'account');
    expect(await cloneTable(shards.client, 'steps', { from: FROM, to }, ALL)).toBe('linked');
    const rows = await rowsOf(FROM);
    expect(rows.every((some) => some.length > 0)).toBe(true);
    expect(rows.flat()).toHaveLength(STEPS);
    expect(await rowsOf(to)).toEqual(rows);
  });

  it('keeps of linked parts what is wanted, on every shard', async () => {
    const to = 'test_clone_base_v3';
    await makeTable(to, 'account');
    const keep = [{ first: 5, last: 24 }];
    expect(await cloneTable(shards.client, 'steps', { from: FROM, to }, keep)).toBe('linked');
    const wanted = (await rowsOf(FROM)).map((rows) => rows.filter(([step]) => step >= 5 && step <= 24));
    expect(await rowsOf(to)).toEqual(wanted);
  });

  it('is copied to the shards that its own key names where rows are spread by something else', async () => {
    const to = 'test_clone_base_v4';
    await makeTable(to, 'mc_seqno');
    expect(await cloneTable(shards.client, 'steps', { from: FROM, to }, ALL)).toBe('copied');
    const rows = await rowsOf(to);
    expect(rows.flat()).toHaveLength(STEPS);
    for (const [shard, some] of rows.entries()) for (const [step] of some) expect(step % 2).toBe(shard);
  });

  it('is linked even if a column is packed otherwise: each part has its own packing', async () => {
    const to = 'test_clone_base_v5';
    await makeTable(to, 'account', 'NONE');
    expect(await cloneTable(shards.client, 'steps', { from: FROM, to }, ALL)).toBe('linked');
    expect(await rowsOf(to)).toEqual(await rowsOf(FROM));
  });

  it('merges seldom on every shard, and as usual again', async () => {
    const settings = () =>
      Promise.all(
        shards.servers.map(async (server) => {
          const { rows } = await server.queryRows<[string]>(
            `SELECT engine_full FROM system.tables WHERE database = '${FROM}' AND name = 'steps_local'`,
            { route },
          );
          return rows[0]?.[0].includes('min_parts_to_merge_at_once');
        }),
      );
    await deferMerges(shards.client, FROM);
    expect(await settings()).toEqual([true, true]);
    await resumeMerges(shards.client, FROM);
    expect(await settings()).toEqual([false, false]);
  });

  it('is dropped on every shard with its version', async () => {
    const shardingKeys = { meta: { '*': '0' } };
    await migrateMeta(shards.client, { network: NETWORK, directory: DIRECTORY, shardingKeys });
    const owner = { network: NETWORK, projection: 'base' };
    const record = { version: 2, codeVersion: 1, state: 'building', detail: {}, schema: null } as const;
    await dropVersion(shards.client, owner, record);
    for (const server of shards.servers) {
      const { rows } = await server.queryRows(
        "SELECT name FROM system.databases WHERE name = 'test_clone_base_v2'",
        { route },
      );
      expect(rows).toEqual([]);
    }
  });
});
