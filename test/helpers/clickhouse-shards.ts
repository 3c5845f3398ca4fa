import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStoreClient, type StoreClient } from '../../src/platform/clickhouse/client.ts';
import { type DdlQueue, startDdlQueue } from './ddl-queue.ts';

export interface TestShards {
  /** Name of the cluster. */
  readonly cluster: string;
  /** An address for the cluster as a whole. */
  readonly url: string;
  /** Client of the cluster as a whole. */
  readonly client: StoreClient;
  /** Client of each single server, which sees its own shard. */
  readonly servers: readonly StoreClient[];
  /** Process ids of the servers. */
  pids(): readonly number[];
  /** Ends the server of a shard (kill -9; shards count from 0); resolves when it is gone. */
  kill(shard: number): Promise<void>;
  /** Starts it again on its data and ports; resolves when it answers. */
  start(shard: number): Promise<void>;
  /**
   * Supervises: restarts every server that ends, `awayMs` after its end. An npm server may end when another one is
   * killed (uncaught "Connection reset by peer", 26.7.2.1). The returned function stops this; all run then.
   */
  supervise(awayMs: number): () => Promise<void>;
  /** Resolves when every server answers: one that ended has been started again by then. */
  allAnswer(): Promise<void>;
  readonly queue: DdlQueue;
  stop(): Promise<void>;
}

const SCRIPT = join(import.meta.dirname, 'clickhouse-shard-process.ts');
const CLUSTER = 'test_shards';
const START_MS = 180_000;

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** ClickHouse servers from npm, each a shard of one cluster on the loopback. */
export async function startTestShards(count = 2): Promise<TestShards> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-shards-'));
  const ports = await freePorts(count * 2);
  const tcp = ports.slice(count).map(String);
  const spawnShard = (i: number) => {
    const folder = join(directory, String(i + 1));
    const words = [SCRIPT, folder, String(i + 1), String(ports[i]), CLUSTER, ...tcp];
    return spawnServer(words, `${folder}.err`);
  };
  const children = Array.from({ length: count }, (_, i) => spawnShard(i));
  const urls = ports.slice(0, count).map((port) => `http://127.0.0.1:${port}`);
  const servers = urls.map((url) => createStoreClient({ url }));
  const end = async () => {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all(children.map(endOf));
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await Promise.all(servers.map((server, i) => untilReady(server, children[i] as ChildProcess)));
  } catch (error) {
    await end();
    throw error;
  }
  const queue = await startDdlQueue(urls);
  const client = createStoreClient({ url: queue.url, cluster: CLUSTER });
  const stop = async () => {
    await client.close();
    await queue.stop();
    await end();
  };
  const start = async (shard: number) => {
    const child = spawnShard(shard);
    children[shard] = child;
    await untilReady(servers[shard] as StoreClient, child);
  };
  const isGone = (shard: number) => hasEnded(children[shard] as ChildProcess);
  const supervise = (awayMs: number) => {
    const ended = new AbortController();
    const { signal } = ended;
    const keep = async (shard: number) => {
      while (!signal.aborted) {
        if (!isGone(shard)) await once(children[shard] as ChildProcess, 'exit', { signal });
        await sleep(awayMs, undefined, { signal });
        await start(shard);
      }
    };
    const keeping = children.map((_, shard) =>
      keep(shard).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
    );
    return async () => {
      ended.abort();
      await Promise.all(keeping);
      for (const shard of children.keys()) if (isGone(shard)) await start(shard);
    };
  };
  return {
    cluster: CLUSTER,
    url: queue.url,
    client,
    servers,
    pids: () => children.map(({ pid }) => pid as number),
    queue,
    kill: (shard) => endOf(children[shard] as ChildProcess),
    start,
    supervise,
    allAnswer: async () => {
      const all = async () => (await Promise.all(servers.map((server) => server.ping()))).every(Boolean);
      for (const deadline = Date.now() + START_MS; !(await all()); await sleep(50))
        if (Date.now() > deadline)
          throw new Error(`a server of the cluster did not answer in ${START_MS} ms`);
    },
    stop,
  };
}

/** Servers that were ended by a test. */
const ended = new WeakSet<ChildProcess>();

/**
 * Starts a server whose last output is printed if it ends unexpectedly: the test's own failure does not show the cause.
 */
function spawnServer(words: readonly string[], errors: string): ChildProcess {
  const file = openSync(errors, 'a');
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'ignore', file] });
  closeSync(file);
  child.once('exit', (code, signal) => {
    if (ended.has(child)) return;
    const said = readFileSync(errors, 'utf8').slice(-2_000);
    console.error(`a server of the cluster ended by itself (${code ?? signal}): ${said}`);
  });
  return child;
}

async function untilReady(client: StoreClient, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + START_MS; !(await client.ping()); ) {
    if (hasEnded(child))
      throw new Error(`a server of the cluster ended with ${child.exitCode ?? child.signalCode}`);
    if (Date.now() > deadline) throw new Error(`a server of the cluster did not answer in ${START_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function endOf(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  ended.add(child);
  child.kill('SIGKILL');
  await once(child, 'exit');
}
