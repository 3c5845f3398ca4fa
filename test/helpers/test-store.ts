import { createStoreClient, type StoreClient } from '../../src/platform/clickhouse/client.ts';
import type { QueryParams, StoreClientOptions } from '../../src/platform/clickhouse/client-options.ts';
import { SECRETS_PREFIX } from '../../src/platform/clickhouse/secrets-prefix.ts';
import { startContainerStore } from './clickhouse-container.ts';
import { startTestServer, type TestServer, testDatabaseGuard } from './clickhouse-server.ts';
import { dropDatabases } from './drop-databases.ts';
import { canRunContainers } from './kafka-container.ts';

/** A ClickHouse that a test shares with others, or has for itself. */
export interface TestStore extends Pick<TestServer, 'url' | 'connection' | 'client'> {
  /** Drops the databases of the test; ends a server that was started for it. */
  stop(): Promise<void>;
}

const route = 'test/store';

/** The server of TEST_CLICKHOUSE_URL (TEST_CLICKHOUSE_USER, TEST_CLICKHOUSE_PASSWORD); null where none is given. */
function givenServer(): StoreClientOptions | null {
  const {
    TEST_CLICKHOUSE_URL: url,
    TEST_CLICKHOUSE_USER: user = 'default',
    TEST_CLICKHOUSE_PASSWORD: password = '',
  } = process.env;
  return url ? { url, user, password } : null;
}

/** Source of the store: a given server, Docker, or the npm server. */
async function findServer(): Promise<{ connection: StoreClientOptions; stop(): Promise<void> }> {
  const given = givenServer();
  if (given) return { connection: given, stop: async () => {} };
  return (await canRunContainers()) ? startContainerStore() : startTestServer();
}

/**
 * A store for tests whose databases all begin with `prefix`, which has the word `test`. Such databases that an earlier run
 * left are dropped first. Its client refuses to change any database that is not named as a test's.
 */
export async function openTestStore(prefix: string): Promise<TestStore> {
  testDatabaseGuard(prefix);
  const server = await findServer();
  const client = createStoreClient(server.connection);
  const stop = async () => {
    await dropTestDatabases(client, prefix);
    await client.close();
    await server.stop();
  };
  await dropTestDatabases(client, prefix);
  return { url: server.connection.url, connection: server.connection, client: guarded(client), stop };
}

async function dropTestDatabases(client: StoreClient, prefix: string): Promise<void> {
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.databases WHERE startsWith(name, {prefix:String}) OR startsWith(name, {secrets:String})',
    { route, params: { prefix, secrets: `${SECRETS_PREFIX}${prefix}` } },
  );
  await dropDatabases(
    client,
    rows.map(([name]) => testDatabaseGuard(name)),
    route,
  );
}

/** The client, but for changes of databases that are not a test's. */
function guarded(client: StoreClient): StoreClient {
  return {
    ...client,
    command: async (sql, options) => {
      testDatabaseGuard(changedDatabase(sql, options.params));
      return client.command(sql, options);
    },
    insertNative: async (table, bytes, options) => {
      testDatabaseGuard(changedDatabase(`INSERT INTO ${table}`));
      return client.insertNative(table, bytes, options);
    },
  };
}

const CHANGE =
  /^\s*(?:CREATE|DROP|ALTER|TRUNCATE|RENAME|EXCHANGE|DETACH|ATTACH|OPTIMIZE|DELETE|INSERT)(?:\s+(?:OR|REPLACE|MATERIALIZED|DATABASE|TABLES?|VIEW|DICTIONARY|FROM|INTO|IF|NOT|EXISTS))*\s+(?:(\w+)|\{(\w+):Identifier\})/;

/** The database that a statement changes. @throws Error if it names none */
export function changedDatabase(sql: string, params: QueryParams = {}): string {
  const [, name, parameter] = CHANGE.exec(sql) ?? [];
  const database = name ?? (parameter === undefined ? undefined : params[parameter]);
  if (typeof database !== 'string') throw new Error(`no database is named: ${sql.slice(0, 80)}`);
  return database;
}
