import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';
import { changedDatabase, openTestStore } from '../../helpers/test-store.ts';

const route = 'test/store';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server?.stop();
});

const databases = async () =>
  (
    await server.client.queryRows<[string]>(
      "SELECT name FROM system.databases WHERE name LIKE '%ladder%' ORDER BY name",
      { route },
    )
  ).rows.flat();

describe('the store of TEST_CLICKHOUSE_URL', () => {
  it('is used, rid of what tests leave, and of nothing else', async () => {
    for (const name of ['ladder', 'ladder_test_old', 'other_test_ladder'])
      await server.client.command(`CREATE DATABASE ${name}`, { route });
    vi.stubEnv('TEST_CLICKHOUSE_URL', server.url);
    vi.stubEnv('TEST_CLICKHOUSE_USER', String(server.connection.user));
    vi.stubEnv('TEST_CLICKHOUSE_PASSWORD', String(server.connection.password));
    const store = await openTestStore('ladder_test');
    expect(store.url).toBe(server.url);
    expect(await databases()).toEqual(['ladder', 'other_test_ladder']);
    await store.client.command('CREATE DATABASE ladder_test_new', { route });
    expect(await databases()).toContain('ladder_test_new');
    await store.stop();
    expect(await databases()).toEqual(['ladder', 'other_test_ladder']);
    expect(await server.client.ping()).toBe(true);
  });

  it('is not changed outside of test databases', async () => {
    const store = await openTestStore('ladder_test');
    const drop = store.client.command('DROP DATABASE ladder SYNC', { route });
    await expect(drop).rejects.toThrow('not a test database: ladder');
    const insert = store.client.insertNative('ladder.t', new Uint8Array(), { route });
    await expect(insert).rejects.toThrow('not a test database: ladder');
    expect(await databases()).toContain('ladder');
    await store.stop();
  });

  it('is not opened for databases that are not named as tests', async () => {
    await expect(openTestStore('mainnet')).rejects.toThrow('not a test database');
  });
});

describe('the database that a statement changes', () => {
  it.each([
    ['DROP DATABASE IF EXISTS a SYNC', 'a'],
    ['CREATE TABLE IF NOT EXISTS a.t (x UInt8) ENGINE = Null', 'a'],
    ['CREATE MATERIALIZED VIEW a.v TO b.t AS SELECT 1', 'a'],
    ['INSERT INTO a.t SELECT 1', 'a'],
    ['\n  DELETE FROM a.t WHERE 1', 'a'],
    ['OPTIMIZE TABLE a.t FINAL', 'a'],
    ['TRUNCATE TABLE a.t', 'a'],
    ['ALTER TABLE a.t DELETE WHERE 1', 'a'],
    ['INSERT INTO {db:Identifier}.t SELECT 1', 'b'],
  ])('%s', (sql, database) => {
    expect(changedDatabase(sql, { db: 'b' })).toBe(database);
  });

  it.each(['SYSTEM SHUTDOWN', 'INSERT INTO {db:Identifier}.t SELECT 1'])('is not known: %s', (sql) => {
    expect(() => changedDatabase(sql)).toThrow('no database is named');
  });
});
