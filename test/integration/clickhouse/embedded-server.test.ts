import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStoreClient } from '../../../src/platform/clickhouse/client.ts';
import {
  StoreInUseError,
  StoreStartError,
} from '../../../src/platform/clickhouse/embedded/embedded-errors.ts';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../../src/platform/clickhouse/embedded/embedded-server.ts';
import { openStore } from '../../../src/platform/clickhouse/embedded/open-store.ts';
import {
  findRunningServer,
  type RunningServer,
  readServerState,
} from '../../../src/platform/clickhouse/embedded/server-state.ts';

const route = 'test/embedded';
const memoryLimitBytes = 2 * 1024 ** 3;
const OWNER = join(import.meta.dirname, '../../helpers/embedded-owner.ts');

let directory: string;
let running: { stop(): Promise<void> }[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-embedded-'));
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(directory, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer({ directory, memoryLimitBytes });
  running.push(server);
  return server;
}

async function query(server: RunningServer, sql: string): Promise<unknown> {
  const client = createStoreClient(server);
  try {
    return (await client.queryRows(sql, { route })).rows;
  } finally {
    await client.close();
  }
}

async function command(server: RunningServer, sql: string): Promise<void> {
  const client = createStoreClient(server);
  await client.command(sql, { route });
  await client.close();
}

/** Another process that owns a server on the directory; resolves with the process and the server's state. */
async function startOwner(): Promise<{ owner: ReturnType<typeof spawn>; state: RunningServer }> {
  const owner = spawn(process.execPath, [OWNER, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
  running.push({
    stop: async () => {
      if (owner.exitCode === null && owner.signalCode === null) {
        owner.kill('SIGKILL');
        await once(owner, 'exit');
      }
    },
  });
  const [line] = (await once(owner.stdout.setEncoding('utf8'), 'data')) as [string];
  return { owner, state: JSON.parse(line) as RunningServer };
}

describe('the embedded server', () => {
  it('bounds its caches by its memory limit', async () => {
    const server = await start();
    const names = "'mark_cache_size', 'uncompressed_cache_size', 'index_mark_cache_size'";
    const sql = `SELECT count(), sum(toUInt64(value)) FROM system.server_settings WHERE name IN (${names})`;
    const [[count, bytes]] = (await query(server, sql)) as [[string, string]];
    expect(Number(count)).toBe(3);
    expect(Number(bytes)).toBeLessThanOrEqual(memoryLimitBytes / 4);
  });

  it('keeps data over a graceful stop', async () => {
    const first = await start();
    await command(first, 'CREATE TABLE default.t (x UInt32) ENGINE = MergeTree ORDER BY x');
    await command(first, 'INSERT INTO default.t SELECT number FROM numbers(1000)');
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });
    expect(findRunningServer(directory)).toBeNull();

    const second = await start();
    expect(await query(second, 'SELECT sum(x) FROM default.t')).toEqual([['499500']]);
  });

  it('keeps what was acknowledged over a kill', async () => {
    const first = await start();
    await command(first, 'CREATE TABLE default.t (x UInt32) ENGINE = MergeTree ORDER BY x');
    await command(first, 'INSERT INTO default.t SELECT number FROM numbers(1000)');
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const second = await start();
    // Clients find it again at the same address.
    expect({ url: second.url, password: second.password }).toEqual({
      url: first.url,
      password: first.password,
    });
    expect(await query(second, 'SELECT count() FROM default.t')).toEqual([['1000']]);
  });

  it('listens on loopback, with settings that suit the sink, without system logs, with its own log file', async () => {
    const server = await start();
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    expect(await query(server, "SELECT value FROM system.settings WHERE name = 'async_insert'")).toEqual([
      ['0'],
    ]);
    expect(
      await query(server, "SELECT value FROM system.server_settings WHERE name = 'max_server_memory_usage'"),
    ).toEqual([[String(memoryLimitBytes)]]);
    expect(
      await query(
        server,
        "SELECT value FROM system.server_settings WHERE name = 'max_parts_cleaning_thread_pool_size'",
      ),
    ).toEqual([['1']]);
    expect(await query(server, 'SELECT timezone()')).toEqual([['UTC']]);
    expect(
      await query(
        server,
        "SELECT count() FROM system.tables WHERE database = 'system' AND name LIKE '%\\_log'",
      ),
    ).toEqual([['0']]);
    expect(existsSync(join(directory, 'log', 'server.log'))).toBe(true);
    expect(statSync(join(directory, 'server.json')).mode & 0o077).toBe(0);
  });

  it('has places for the parts of a partition that is deleted from, and lets no more large merges run for that', async () => {
    const server = await start();
    const [[threads, ofThread, free]] = (await query(
      server,
      `SELECT toUInt32(anyIf(value, name = 'background_pool_size')),
              toUInt32(anyIf(value, name = 'background_merges_mutations_concurrency_ratio')),
              (SELECT toUInt32(value) FROM system.merge_tree_settings
               WHERE name = 'number_of_free_entries_in_pool_to_lower_max_size_of_merge')
       FROM system.server_settings`,
    )) as [[number, number, number]];
    expect(threads * ofThread).toBeGreaterThanOrEqual(Math.min(64, Math.floor(memoryLimitBytes / 2 ** 26)));
    expect(free).toBe(Math.max(8, threads * (ofThread - 2)));
  });

  it('is found by a second start, which names the owner of the directory', async () => {
    const server = await start();
    const error = await start().catch((inner: unknown) => inner);
    expect(error).toBeInstanceOf(StoreInUseError);
    expect(error).toMatchObject({
      directory,
      holder: { pid: server.pid, url: server.url, ownerPid: process.pid },
    });
    expect(String(error)).toContain(server.url);
    expect(findRunningServer(directory)).toMatchObject({ pid: server.pid, url: server.url });
  });

  it('reports what went wrong when it cannot start', async () => {
    rmSync(directory, { recursive: true, force: true });
    await startEmbeddedServer({ directory, memoryLimitBytes, startTimeoutMs: 1 }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(StoreStartError);
      expect(error).toMatchObject({ directory, reason: 'no answer in 1 ms' });
    });
    expect(findRunningServer(directory)).toBeNull();
  });
});

describe('a store shared by processes', () => {
  it('is attached to, and outlives the one that attached', async () => {
    const { state } = await startOwner();
    const attached = await openStore({ directory, memoryLimitBytes });
    expect(attached).toMatchObject({ owned: false, pid: state.pid, url: state.url });
    expect(await query(attached, 'SELECT 1')).toEqual([[1]]);
    await attached.stop();
    expect(findRunningServer(directory)).toMatchObject({ pid: state.pid });
  });

  it('is started once when several open it at the same time', async () => {
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ directory, memoryLimitBytes })));
    running.push(...stores);
    expect(new Set(stores.map((store) => store.pid)).size).toBe(1);
    expect(stores.filter((store) => store.owned)).toHaveLength(1);
  });

  it('ends when its owner is killed, and can be opened again', async () => {
    const { owner, state } = await startOwner();
    expect(await query(state, 'SELECT 1')).toEqual([[1]]);
    owner.kill('SIGKILL');
    const begun = performance.now();
    // By its lock, which the kernel frees with the process; the process id may stay until init has taken notice.
    while (findRunningServer(directory) && performance.now() - begun < 60_000) await sleep(20);
    expect(performance.now() - begun).toBeLessThan(60_000);
    // The state file is left over; the lock is not.
    expect(readServerState(directory)).toMatchObject({ pid: state.pid });
    const store = await openStore({ directory, memoryLimitBytes });
    running.push(store);
    expect(store.owned).toBe(true);
    expect(await query(store, 'SELECT 1')).toEqual([[1]]);
  });
});
