import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STOP_QUERY } from '../../../src/platform/clickhouse/embedded/server-constants.ts';
import { startDdlQueue } from '../../../test/helpers/ddl-queue.ts';

const CONFIGURATION = '/etc/clickhouse-server';
const PORT = 8123;
/** Port of the engine if statements for every shard have to be found first. */
const ENGINE_PORT = 18_123;

/** The user of CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, as the image makes it. */
function writeUser(user: string, password: string): void {
  const escaped = password.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  writeFileSync(
    join(CONFIGURATION, 'users.d/default-user.xml'),
    `<clickhouse><users><${user}>
  <password>${escaped}</password>
  <networks><ip>::/0</ip></networks>
  <profile>default</profile>
  <quota>default</quota>
  <access_management>${process.env.CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT ?? 0}</access_management>
</${user}></users></clickhouse>
`,
  );
}

/** Hosts of the cluster's servers; none without the configuration of a cluster. */
function findShards(): string[] {
  const file = join(CONFIGURATION, 'config.d/tonhouse-cluster.xml');
  if (!existsSync(file)) return [];
  const found = readFileSync(file, 'utf8').matchAll(/<replica><host>([^<]+)<\/host>/g);
  return [...found].map(([, host]) => host as string);
}

/**
 * Runs the engine until SIGTERM, which ends it in order. With a cluster, HTTP goes through a queue that runs `ON CLUSTER`
 * statements on each server: the engine can do that only with a Keeper, which chdb cannot use.
 */
export async function runServer(): Promise<void> {
  const { CLICKHOUSE_USER: user = 'default', CLICKHOUSE_PASSWORD: password = '' } = process.env;
  if (user !== 'default') writeUser(user, password);
  const shards = findShards();
  const enginePort = shards.length > 0 ? ENGINE_PORT : PORT;
  const own = `http://127.0.0.1:${enginePort}`;
  const engine = spawn(process.execPath, [join(import.meta.dirname, 'engine.ts')], {
    env: { ...process.env, STAND_IN_HTTP_PORT: String(enginePort) },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  let isStopping = false;
  // The cancelled query is an error to the engine.
  engine.once('exit', (code, signal) => process.exit(signal ? 1 : isStopping ? 0 : (code ?? 1)));
  process.once('SIGTERM', () => {
    isStopping = true;
    const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password };
    fetch(own, { method: 'POST', body: STOP_QUERY, headers }).catch(() => engine.kill('SIGKILL'));
  });
  if (shards.length > 0)
    await startDdlQueue(
      shards.map((host) => `http://${host}:${ENGINE_PORT}`),
      { own, host: '0.0.0.0', port: PORT },
    );
}
