/** Who may do what at the embedded server: nobody without a password, and the reader nothing but read. */
import { existsSync, mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretsDatabase } from '../../../src/platform/clickhouse/migrations/database-names.ts';
import { READER } from '../../../src/platform/clickhouse/reader-profile.ts';
import { StoreError } from '../../../src/platform/clickhouse/store-errors.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';

const route = 'test/users';
const SECRETS = secretsDatabase('mainnet');
let store: TestServer;

beforeAll(async () => {
  store = await startTestServer();
  const { client } = store;
  await client.command('CREATE DATABASE users_test', { route });
  await client.command('CREATE TABLE users_test.t (x UInt32) ENGINE = MergeTree ORDER BY x', { route });
  await client.command('INSERT INTO users_test.t SELECT number FROM numbers(10)', { route });
  await client.command('CREATE VIEW users_test.v AS SELECT x FROM users_test.t', { route });
  await client.command(`CREATE DATABASE ${SECRETS}`, { route });
  const hidden = '(hidden_secret String) ENGINE = MergeTree ORDER BY hidden_secret';
  await client.command(`CREATE TABLE ${SECRETS}.hidden ${hidden}`, { route });
  await client.command(`INSERT INTO ${SECRETS}.hidden VALUES ('a')`, { route });
});
afterAll(() => store.stop());

type Headers = Record<string, string | string[]>;

/** A stranger's request on the machine, with the given headers. */
async function ask(path: string, headers: Headers, body = 'SELECT currentUser()', method = 'POST') {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const sent = request(`${store.url}${path}`, { method, headers: { ...headers, Connection: 'close' } });
  sent.on('response', async (answer) =>
    resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
  );
  sent.on('error', reject);
  sent.end(method === 'GET' ? undefined : body);
  return promise;
}

const basic = (user: string, password = '') =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('the embedded server, asked without a password', () => {
  const form = 'application/x-www-form-urlencoded';
  const cases: [what: string, path: string, headers: Headers, body?: string][] = [
    ['nothing', '/', {}],
    ['a statement in the address', '/?query=SELECT+currentUser()', {}],
    ['default in the address', '/?user=default&password=', {}],
    ['default in a header', '/', { 'X-ClickHouse-User': 'default' }],
    [
      'default in a header, with an empty password',
      '/',
      { 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': '' },
    ],
    ['default by Basic', '/', { Authorization: basic('default') }],
    [
      'the owner by Basic, default in the address',
      '/?user=default&password=',
      { Authorization: basic('tonhouse') },
    ],
    ['the owner, default in the address', '/?user=default&password=', { 'X-ClickHouse-User': 'tonhouse' }],
    ['the owner, default in the address, encoded', '/?%75ser=default', { 'X-ClickHouse-User': 'tonhouse' }],
    [
      'the owner, default by Basic',
      '/',
      { 'X-ClickHouse-User': 'tonhouse', Authorization: basic('default') },
    ],
    ['the owner and default', '/', { 'X-ClickHouse-User': ['tonhouse', 'default'] }],
    ['default and the owner', '/', { 'X-ClickHouse-User': ['default', 'tonhouse'] }],
    [
      'the owner, default in a form',
      '/',
      { 'X-ClickHouse-User': 'tonhouse', 'Content-Type': form },
      'user=default&query=SELECT+1',
    ],
    ['the owner with an empty password', '/', { 'X-ClickHouse-User': 'tonhouse', 'X-ClickHouse-Key': '' }],
    ['the reader with an empty password', '/', { 'X-ClickHouse-User': READER }],
    ['the engine’s own session', '/', { 'X-ClickHouse-User': '' }],
    ['other pages', '/play', {}],
  ];

  it.each(cases)('refuses %s', async (_what, path, headers, body) => {
    for (const statement of [body, 'SELECT 1', 'SYSTEM STOP LISTEN HTTP']) {
      const { status, body: found } = await ask(path, headers, statement);
      expect({ status, found }).toMatchObject({ status: expect.toBeOneOf([403, 404]) });
      expect(found).not.toMatch(/^(default|tonhouse\w*|1)\n/);
    }
    expect(await store.client.ping()).toBe(true);
    expect((await store.client.queryRows('SELECT currentUser()', { route })).rows).toEqual([['tonhouse']]);
  });

  it('answers pings, which reveal nothing', async () => {
    expect(await ask('/ping', {}, '', 'GET')).toEqual({ status: 200, body: 'Ok.\n' });
  });
});

describe('the reader', () => {
  const read = (sql: string) => store.reader.queryRows(sql, { route });

  it('reads tables', async () => {
    expect((await read('SELECT currentUser(), sum(x) FROM users_test.t')).rows).toEqual([[READER, '45']]);
  });

  describe.each(['information_schema', 'INFORMATION_SCHEMA'])('of %s', (schema) => {
    const views = ['schemata', 'tables', 'columns', 'views', 'key_column_usage', 'statistics'];
    const names = [...views, 'referential_constraints'].flatMap((name) => [name, name.toUpperCase()]);

    it.each(names)('reads all columns of %s, and no row names the secrets', async (name) => {
      const rows = JSON.stringify((await read(`SELECT * FROM ${schema}.${name}`)).rows);
      expect(rows).not.toMatch(/secret/i);
    });

    it('sees the tables and columns that it can read', async () => {
      const where = "WHERE table_schema NOT IN ('information_schema', 'INFORMATION_SCHEMA')";
      const tables = `SELECT table_schema, table_name, table_type, table_rows FROM ${schema}.tables ${where}`;
      const found = (await read(`${tables} ORDER BY ALL`)).rows;
      expect(found).toEqual([
        ['system', 'parts', 'SYSTEM VIEW', null],
        ['users_test', 't', 'BASE TABLE', '10'],
        ['users_test', 'v', 'VIEW', null],
      ]);
      const columns = `SELECT table_name, column_name, data_type FROM ${schema}.columns`;
      expect((await read(`${columns} WHERE table_schema = 'users_test' ORDER BY ALL`)).rows).toEqual([
        ['t', 'x', 'UInt32'],
        ['v', 'x', 'UInt32'],
      ]);
    });
  });

  it.each([
    'SELECT name FROM system.databases',
    'SELECT database, name, create_table_query FROM system.tables',
    'SELECT database, table, name FROM system.columns',
    'SELECT word FROM system.completions',
    'SELECT database, table FROM system.parts',
    'SHOW DATABASES',
    `SHOW TABLES FROM ${SECRETS}`,
    `SHOW COLUMNS FROM ${SECRETS}.hidden`,
  ])('does not see the secrets in %s', async (sql) => {
    expect(JSON.stringify((await read(sql)).rows)).not.toMatch(new RegExp(`${SECRETS}|hidden_secret`));
  });

  it.each([
    "SELECT * FROM file('/etc/hostname', 'LineAsString')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT * FROM s3('http://bucket.s3.amazonaws.com/a', 'CSV', 'a String')",
    "SELECT * FROM azureBlobStorage('x', 'y', 'z')",
    "SELECT * FROM hdfs('hdfs://x/a')",
    "SELECT * FROM mysql('h:1', 'd', 't', 'u', 'p')",
    "SELECT * FROM postgresql('h:1', 'd', 't', 'u', 'p')",
    "SELECT * FROM mongodb('h:1', 'd', 'c', 'u', 'p', 'a Int8')",
    "SELECT * FROM redis('h:1', 'k', 'k String')",
    "SELECT * FROM sqlite('/tmp/x.db', 't')",
    "SELECT * FROM odbc('x', 'y', 'z')",
    "SELECT * FROM jdbc('x', 'y', 'z')",
    "SELECT * FROM executable('x', 'CSV', 'a String')",
    "SELECT * FROM dictionary('x')",
    'SELECT * FROM loop(users_test.t) LIMIT 1',
    'SELECT addressToLine(1)',
    'SELECT * FROM system.users',
    'SELECT * FROM system.processes',
    'SELECT * FROM system.parts',
    'SELECT * FROM system.server_settings',
    'SELECT path FROM system.parts',
    'SELECT * FROM system.grants',
    'SELECT * FROM system.named_collections',
    'SELECT * FROM system.settings_profiles',
    `SELECT * FROM ${SECRETS}.hidden`,
    `DESCRIBE ${SECRETS}.hidden`,
    `SHOW CREATE TABLE ${SECRETS}.hidden`,
    'SHOW USERS',
    'SHOW CREATE USER tonhouse',
    'SHOW PROCESSLIST',
    'KILL QUERY WHERE 1',
    'CREATE TEMPORARY TABLE x (a Int8)',
    'CREATE TABLE users_test.x (a Int8) ENGINE = Memory',
    'CREATE DATABASE x',
    'CREATE FUNCTION f AS (x) -> x',
    "CREATE USER x IDENTIFIED BY 'y'",
    'GRANT ALL ON *.* TO tonhouse_reader',
    'INSERT INTO users_test.t VALUES (3)',
    'ALTER TABLE users_test.t DELETE WHERE 1',
    'OPTIMIZE TABLE users_test.t',
    'TRUNCATE TABLE users_test.t',
    'DROP TABLE users_test.t',
    'DROP DATABASE users_test',
    "BACKUP TABLE users_test.t TO Disk('a', 'b')",
    'SYSTEM STOP LISTEN HTTP',
    'SYSTEM STOP MERGES users_test.t',
    'SYSTEM SHUTDOWN',
    "SELECT 1 INTO OUTFILE '/tmp/users-test-out'",
    'EXECUTE AS tonhouse SELECT 1',
    'SET max_memory_usage = 0',
    'SELECT 1 SETTINGS readonly = 0',
    'SELECT 1 SETTINGS readonly = 2',
    'SELECT 1 SETTINGS max_memory_usage = 0',
    'SELECT 1 SETTINGS max_memory_usage = 2000000000',
    'SELECT 1 SETTINGS max_memory_usage_for_user = 0',
    'SELECT 1 SETTINGS max_untracked_memory = 4000000000',
    'SELECT 1 SETTINGS max_execution_time = 0',
    'SELECT 1 SETTINGS max_execution_time = 601',
    'SELECT 1 SETTINGS max_result_rows = 0',
    'SELECT 1 SETTINGS max_result_bytes = 0',
    "SELECT 1 SETTINGS format_schema = '/etc/hostname:M'",
  ])('is denied %s', async (sql) => {
    // Sent unchanged: the client would add a FORMAT.
    const headers = { 'X-ClickHouse-User': READER, 'X-ClickHouse-Key': store.server.readPassword };
    const { status, body } = await ask('/', headers, sql);
    expect(status, body).not.toBe(200);
    // READONLY, INTO_OUTFILE_NOT_ALLOWED, SUPPORT_IS_DISABLED, SETTING_CONSTRAINT_VIOLATION, PATH_ACCESS_DENIED, ACCESS_DENIED
    expect(Number(/^Code: (\d+)/.exec(body)?.[1]), body).toBeOneOf([164, 358, 344, 452, 481, 497]);
    expect(existsSync('/tmp/users-test-out')).toBe(false);
    expect((await read('SELECT count() FROM users_test.t')).rows).toEqual([['10']]);
  });

  it.runIf(process.platform === 'linux')(
    'reads no files, nor does the owner, by the scalar function',
    async () => {
      const state = join(store.directory, 'server.json');
      expect(existsSync(state)).toBe(true);
      const own = ['users.xml', 'server.xml', 'log/server.log', 'log/error.log'];
      const ownPaths = own.map((name) => join(store.directory, name));
      for (const path of ownPaths) expect(existsSync(path), path).toBe(true);
      const paths = [
        '/etc/passwd',
        state,
        ...ownPaths,
        `${store.directory}/data/../users.xml`,
        '/proc/self/cwd/users.xml',
        '/proc/self/root/etc/passwd',
        `/proc/${process.pid}/environ`,
      ];
      for (const client of [store.reader, store.client])
        for (const path of paths) {
          const found = await client
            .queryRows('SELECT substring(file({path:String}), 1, 10)', { route, params: { path } })
            .catch((error: StoreError) => error);
          expect(found, path).toBeInstanceOf(StoreError);
        }
      const environment = await store.client.queryRows("SELECT file('/proc/self/environ')", { route });
      expect(JSON.stringify(environment.rows)).not.toContain('VITEST');
    },
  );

  it('opens no database of SQLite, whether there is one or not', async () => {
    const file = join(store.directory, 'data/user_files/a.db');
    mkdirSync(dirname(file), { recursive: true });
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('hidden')");
    database.close();
    for (const path of [file, join(store.directory, 'server.json'), '/tmp/none.db']) {
      const error = await read(`SELECT * FROM sqlite('${path}', 't')`).catch((one: StoreError) => one);
      expect(error, path).toBeInstanceOf(StoreError);
      expect(String(error)).not.toContain('hidden');
    }
  });

  it('is cut off by its limits of time and memory', async () => {
    const slow = store.reader.queryRows('SELECT count() FROM numbers(1e13)', { route, timeoutMs: 300 });
    expect(await slow.catch((error: StoreError) => error)).toMatchObject({ code: 159 });
    const large = store.reader.queryRows('SELECT length(groupArray(number)) FROM numbers(1e9)', {
      route,
      maxMemoryBytes: 50_000_000,
    });
    expect(await large.catch((error: StoreError) => error)).toMatchObject({ code: 241 });
  });
});
