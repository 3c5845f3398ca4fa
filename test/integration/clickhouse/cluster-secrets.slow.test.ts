import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HookRecords } from '../../../src/api/hooks/hook-records.ts';
import { newKey } from '../../../src/api/keys/api-key.ts';
import { readKeys, writeKey } from '../../../src/api/keys/key-records.ts';
import { tableStatements } from '../../../src/platform/clickhouse/migrations/cluster-tables.ts';
import { migrateMeta } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { splitStatements } from '../../../src/platform/clickhouse/migrations/sql-statements.ts';
import { startTestShards, type TestShards } from '../../helpers/clickhouse-shards.ts';

/* Keys and webhooks of an older release move to the database of secrets, on two shards. */

const route = 'test/secrets';
const DIRECTORY = new URL('../../../clickhouse', import.meta.url).pathname;
const NETWORK = 'cluster_secrets_test';
const SECRETS = `secrets_${NETWORK}`;
const KEYS = 20;
/** All on the first shard, as `create-version.ts` does. */
const SHARDING = { '*': '0' };

const keys = Array.from({ length: KEYS }, (_, number) => {
  const { id, hash } = newKey(NETWORK);
  return { id, hash, name: `key ${number}`, requestsPerSecond: 5, createdAt: 1 + number, expiresAt: null };
});

describe('secrets of an older release on a cluster', () => {
  let shards: TestShards;

  beforeAll(async () => {
    shards = await startTestShards();
  }, 600_000);
  afterAll(() => shards?.stop());

  /** Tables as a release before 0019 made them, with revoked keys and a webhook. */
  async function makeOlder(): Promise<void> {
    const { client, cluster } = shards;
    const values = { database: NETWORK, meta: NETWORK, epochSize: 1, cluster };
    await client.command(`CREATE DATABASE IF NOT EXISTS ${NETWORK} ON CLUSTER '${cluster}'`, { route });
    for (const name of ['0001_meta', '0004_api_keys', '0009_hooks']) {
      const text = readFileSync(join(DIRECTORY, 'meta', `${name}.sql`), 'utf8');
      for (const statement of splitStatements(text))
        for (const one of tableStatements(statement, values, SHARDING)) await client.command(one, { route });
    }
    for (const { id, hash, name, createdAt } of keys)
      for (const revision of [1, 2])
        await client.command(
          `INSERT INTO ${NETWORK}.api_keys (id, name, hash, requests_per_second, created_at, expires_at, is_revoked, revision)
           VALUES ('${id}', '${name}', '${hash}', 5, ${createdAt}, 0, ${revision === 2}, ${revision})`,
          { route },
        );
    await client.command(
      `INSERT INTO ${NETWORK}.hooks (id, url, secret, filter, start, allows_private, created_at, is_removed, revision)
       VALUES ('1', 'https://example.org', 'whsec_c2VjcmV0', '{}', '1', false, 2, false, 1)`,
      { route },
    );
  }

  const migrateNew = () =>
    migrateMeta(shards.client, {
      network: NETWORK,
      directory: DIRECTORY,
      shardingKeys: { meta: SHARDING },
    });

  /** Tables of secrets by server. */
  const tablesOf = (database: string) =>
    Promise.all(
      shards.servers.map(async (server) => {
        const { rows } = await server.queryRows<[string]>(
          `SELECT name FROM system.tables WHERE database = '${database}' AND match(name, '^(api_keys|hooks)') ORDER BY name`,
          { route },
        );
        return rows.flat();
      }),
    );

  const countOf = async (table: string) => {
    const { rows } = await shards.client.queryRows<[string]>(`SELECT count() FROM ${SECRETS}.${table}`, {
      route,
    });
    return Number(rows[0]?.[0]);
  };

  async function expectMoved(): Promise<void> {
    expect(await tablesOf(NETWORK)).toEqual([[], []]);
    const tables = ['api_keys', 'api_keys_local', 'hooks', 'hooks_local'];
    expect(await tablesOf(SECRETS)).toEqual([tables, tables]);
    expect([await countOf('api_keys'), await countOf('hooks')]).toEqual([2 * KEYS, 1]);
    const found = await readKeys(shards.client, NETWORK);
    expect(found).toEqual(keys.map((key) => ({ ...key, isRevoked: true })));
    expect(await new HookRecords(shards.client, NETWORK).list()).toMatchObject([
      { id: '1', secret: 'whsec_c2VjcmV0' },
    ]);
  }

  it('are moved on every shard, once', async () => {
    await makeOlder();
    await migrateNew();
    await expectMoved();
    await migrateNew();
    await expectMoved();
  });

  it('are moved by several processes, and after a copy whose tables were not dropped', async () => {
    await makeOlder();
    await Promise.all([migrateNew(), migrateNew()]);
    await expectMoved();
  });

  it('are written to and read from all shards afterwards', async () => {
    const { id, hash } = newKey(NETWORK);
    const key = {
      id,
      hash,
      name: 'new',
      requestsPerSecond: 1,
      createdAt: 99,
      expiresAt: null,
      isRevoked: false,
    };
    await writeKey(shards.client, NETWORK, key);
    expect(await readKeys(shards.client, NETWORK)).toContainEqual(key);
  });
});
