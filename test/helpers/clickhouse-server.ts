import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStoreClient, type StoreClient } from '../../src/platform/clickhouse/client.ts';
import type { StoreClientOptions } from '../../src/platform/clickhouse/client-options.ts';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/platform/clickhouse/embedded/embedded-server.ts';
import { READER } from '../../src/platform/clickhouse/reader-profile.ts';
import { dropDatabases } from './drop-databases.ts';

export interface TestServer {
  readonly url: string;
  /** Url, user and password, for clients of the test's own. */
  readonly connection: StoreClientOptions;
  readonly client: StoreClient;
  /** The user that the API reads as. */
  readonly reader: StoreClient;
  readonly server: EmbeddedServer;
  readonly directory: string;
  /** Ends the server and removes its directory. */
  stop(): Promise<void>;
}

const TEST_MEMORY_BYTES = 3 * 1024 ** 3;

/** A real ClickHouse server in a directory of its own: one a test file, stopped in its `afterAll`. `coldFolder`: of its cold volume. */
export async function startTestServer(coldFolder?: string): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-store-'));
  const server = await startEmbeddedServer({
    directory,
    memoryLimitBytes: TEST_MEMORY_BYTES,
    ...(coldFolder && { cold: { folder: coldFolder } }),
  });
  const connection = { url: server.url, user: server.user, password: server.password };
  const client = createStoreClient(connection);
  const access = { url: server.url, user: READER, password: server.readPassword };
  const reader = createStoreClient({ ...access, isConfined: true });
  return {
    url: server.url,
    connection,
    client,
    reader,
    server,
    directory,
    stop: async () => {
      await client.close();
      await reader.close();
      await endAtOnce(server);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The data is not read again: an orderly stop would take a second more. */
async function endAtOnce(server: EmbeddedServer): Promise<void> {
  const stopped = server.stop();
  try {
    process.kill(server.pid, 'SIGKILL');
  } catch {
    // The test has ended it.
  }
  await stopped;
}

/** Drops every database of a server that a test has started: it has no other data. */
export async function emptyServer({ client }: TestServer): Promise<void> {
  const { rows } = await client.queryRows<[string]>(
    "SELECT name FROM system.databases WHERE name NOT IN ('system', 'default', 'information_schema', 'INFORMATION_SCHEMA')",
    { route: 'test' },
  );
  await dropDatabases(client, rows.flat(), 'test');
}

/** Refuses a database whose name is not a test's: every drop or truncate checks this first. */
export function testDatabaseGuard(name: string): string {
  if (!/(^|_)test(_|$)/.test(name))
    throw new Error(`not a test database: ${name} (its name must have the word "test")`);
  return name;
}
