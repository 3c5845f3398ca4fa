import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createStoreClient, type StoreClient } from '../../src/platform/clickhouse/client.ts';
import { openStore } from '../../src/platform/clickhouse/embedded/open-store.ts';

/** The embedded store of a data directory, with what a bench needs to know of its process. */
export interface BenchStore {
  readonly client: StoreClient;
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly pid: number;
  close(): Promise<void>;
}

/** The default of the setting clickhouse-memory-mb. */
const MEMORY_LIMIT_BYTES = 4_096 * 2 ** 20;

/** Opens the store as the commands do: attaches to a running one. `niceness`: of the client. */
export async function openBenchStore(data: string, niceness = 0): Promise<BenchStore> {
  const store = await openStore({
    directory: join(data, 'clickhouse'),
    memoryLimitBytes: MEMORY_LIMIT_BYTES,
  });
  const client = createStoreClient({ ...store, niceness });
  const { url, user, password, pid } = store;
  return {
    client,
    url,
    user,
    password,
    pid,
    close: async () => {
      await client.close();
      await store.stop();
    },
  };
}

const QUIET_POLLS = 5;
const POLL_INTERVAL_MS = 300;

/**
 * Waits until the server has no merges and its writes are on the disk, so that phases do not pay for each other;
 * returns the waiting time, seconds.
 */
export async function settle(client: StoreClient, timeoutMs = 300_000): Promise<number> {
  const start = Date.now();
  const deadline = start + timeoutMs;
  let merged = start;
  for (let quiet = 0; quiet < QUIET_POLLS && Date.now() < deadline; ) {
    const { rows } = await client.queryRows<[string]>('SELECT count() FROM system.merges', {
      route: 'bench',
    });
    quiet = rows[0]?.[0] === '0' ? quiet + 1 : 0;
    if (quiet === 0) merged = Date.now();
    await sleep(POLL_INTERVAL_MS);
  }
  const synced = Date.now();
  await promisify(execFile)('sync');
  return (merged - start + Date.now() - synced) / 1000;
}

/** Drops every database of a bench's network. */
export async function dropNetwork(client: StoreClient, network: string): Promise<void> {
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.databases WHERE startsWith(name, {prefix:String})',
    { route: 'bench', params: { prefix: `${network}_` } },
  );
  for (const [name] of rows) await client.command(`DROP DATABASE ${name} SYNC`, { route: 'bench' });
}
