import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HookRecords } from '../../../src/api/hooks/hook-records.ts';
import { newKey } from '../../../src/api/keys/api-key.ts';
import { readKeys, writeKey } from '../../../src/api/keys/key-records.ts';
import { expandMacros } from '../../../src/platform/clickhouse/migrations/macros.ts';
import { migrateMeta } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { splitStatements } from '../../../src/platform/clickhouse/migrations/sql-statements.ts';
import { readableSecrets } from '../../../src/platform/clickhouse/readable-secrets.ts';
import { StoreError } from '../../../src/platform/clickhouse/store-errors.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';

/* Secrets of a network: the user that answers are read as cannot read them, and stores of older releases lose none. */

const DIRECTORY = join(import.meta.dirname, '../../../clickhouse');
const SECRET = 'whsec_c2VjcmV0';
const route = 'test/secrets';

let store: TestServer;
let networks = 0;
let network: string;
beforeAll(async () => {
  store = await startTestServer();
});
afterAll(() => store.stop());
beforeEach(() => {
  network = `secrets${++networks}_test`;
});

const { id, hash } = newKey('a');
const KEY = { id, hash, name: 'a', requestsPerSecond: 5, createdAt: 1, expiresAt: null, isRevoked: false };
const HOOK = {
  id: '1',
  url: 'https://example.org/hook?token=t0ken',
  secret: SECRET,
  filter: '{}',
  start: '1',
  allowsPrivate: false,
  createdAt: 2,
  isRemoved: false,
};

const migrateNew = () => migrateMeta(store.client, { network, directory: DIRECTORY });

/** The store as a release before 0019 made it, with a key that was revoked and a webhook. */
async function makeOlder(): Promise<void> {
  const values = { database: network, meta: network, epochSize: 1, cluster: null };
  await store.client.command(`CREATE DATABASE ${network}`, { route });
  for (const name of ['0001_meta', '0004_api_keys', '0009_hooks']) {
    const text = readFileSync(join(DIRECTORY, 'meta', `${name}.sql`), 'utf8');
    for (const statement of splitStatements(text))
      await store.client.command(expandMacros(statement, values), { route });
  }
  await insertOlder();
}

async function insertOlder(): Promise<void> {
  for (const revision of [1, 2])
    await store.client.command(
      `INSERT INTO ${network}.api_keys (id, name, hash, requests_per_second, created_at, expires_at, is_revoked, revision)
       VALUES ('${id}', 'a', '${hash}', 5, 1, 0, ${revision === 2}, ${revision})`,
      { route },
    );
  await store.client.command(
    `INSERT INTO ${network}.hooks (id, url, secret, filter, start, allows_private, created_at, is_removed, revision)
     VALUES ('1', '${HOOK.url}', '${SECRET}', '{}', '1', false, 2, false, 1)`,
    { route },
  );
}

async function tablesOf(database: string): Promise<string[]> {
  const { rows } = await store.client.queryRows<[string]>(
    `SELECT name FROM system.tables WHERE database = '${database}' AND name IN ('api_keys', 'hooks') ORDER BY name`,
    { route },
  );
  return rows.flat();
}

describe('secrets', () => {
  it('are written and read by the owner, and by nothing that the reader may say', async () => {
    await migrateNew();
    await writeKey(store.client, network, KEY);
    await new HookRecords(store.client, network).write(HOOK);
    expect(await readKeys(store.client, network)).toEqual([KEY]);
    expect(await new HookRecords(store.client, network).list()).toEqual([HOOK]);
    const secrets = `secrets_${network}`;
    for (const sql of [
      `SELECT * FROM ${secrets}.hooks`,
      `SELECT count() FROM ${secrets}.hooks`,
      `SELECT hash FROM ${secrets}.api_keys`,
      `SELECT (SELECT any(secret) FROM ${secrets}.hooks)`,
      `SELECT 1 FROM ${network}.identity WHERE 'a' IN (SELECT secret FROM ${secrets}.hooks)`,
      `SELECT * FROM merge(${secrets}, '.*')`,
      `SELECT * FROM view(SELECT * FROM ${secrets}.hooks)`,
      `SELECT * FROM mergeTreeIndex(${secrets}, hooks)`,
      `SELECT * FROM remote('127.0.0.1', ${secrets}.hooks)`,
      `SELECT hasColumnInTable('${secrets}', 'hooks', 'secret')`,
      `DESCRIBE TABLE ${secrets}.hooks`,
      `SHOW CREATE TABLE ${secrets}.hooks`,
      `EXISTS TABLE ${secrets}.hooks`,
      'SELECT query FROM system.query_log',
      'SELECT query FROM system.processes',
      'SELECT * FROM system.named_collections',
      'SELECT * FROM system.server_settings',
      'SELECT * FROM system.users',
      'SELECT * FROM system.asynchronous_insert_log',
      'SELECT * FROM system.text_log',
    ]) {
      const error = await store.reader.queryText(sql, { route }).catch((one: unknown) => one);
      expect(error, sql).toBeInstanceOf(StoreError);
      expect(String(error), sql).not.toContain(SECRET);
    }
    expect(await store.reader.queryText(`SHOW TABLES FROM ${secrets}`, { route })).toBe('');
    expect(await store.reader.queryText('SHOW DATABASES', { route })).not.toContain(secrets);
  });

  it('of an older release are moved, once, and their tables dropped', async () => {
    await makeOlder();
    expect(await readKeys(store.client, network)).toEqual([{ ...KEY, isRevoked: true }]);
    await migrateNew();
    expect(await tablesOf(network)).toEqual([]);
    expect(await tablesOf(`secrets_${network}`)).toEqual(['api_keys', 'hooks']);
    expect(await readKeys(store.client, network)).toEqual([{ ...KEY, isRevoked: true }]);
    expect(await new HookRecords(store.client, network).list()).toEqual([HOOK]);
    const count = `SELECT count() FROM secrets_${network}.api_keys`;
    expect((await store.client.queryRows(count, { route })).rows).toEqual([['2']]);
    await migrateNew();
    expect((await store.client.queryRows(count, { route })).rows).toEqual([['2']]);
  });

  it('are moved once if the copy was made and the tables were not yet dropped', async () => {
    await makeOlder();
    await migrateNew();
    const values = { database: network, meta: network, epochSize: 1, cluster: null };
    for (const name of ['0004_api_keys', '0009_hooks'])
      for (const statement of splitStatements(readFileSync(join(DIRECTORY, 'meta', `${name}.sql`), 'utf8')))
        await store.client.command(expandMacros(statement, values), { route });
    await insertOlder();
    await migrateNew();
    expect(await tablesOf(network)).toEqual([]);
    for (const [table, rows] of [
      ['api_keys', '2'],
      ['hooks', '1'],
    ]) {
      const count = `SELECT count() FROM secrets_${network}.${table}`;
      expect((await store.client.queryRows(count, { route })).rows).toEqual([[rows]]);
    }
  });

  it('are known to be readable on a server whose reader may read everything', async () => {
    await migrateNew();
    expect(await readableSecrets(store.reader, network)).toEqual([]);
    const tables = ['api_keys', 'hooks'].map((name) => `secrets_${network}.${name}`);
    expect(await readableSecrets(store.client, network)).toEqual(tables);
  });

  it('have a database of no network', async () => {
    await expect(migrateMeta(store.client, { network: 'secrets_a', directory: DIRECTORY })).rejects.toThrow(
      'the network label "secrets_a" does not match',
    );
  });
});
