import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer } from '../helpers/clickhouse-server.ts';
import { startMain } from '../helpers/run-main.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

const SLOW_MS = 1_200_000;
const ROUNDS = 2;

describeWithChain('an embedded store with a cold folder', ({ source }) => {
  let folder: string;
  let before: unknown;
  const directory = () => join(folder, 'data');
  const cold = () => join(folder, 'cold');

  const start = (...args: readonly string[]) =>
    startMain([...args, '--data', directory()], {
      TONHOUSE_LOG_LEVEL: 'error',
      TONHOUSE_CLICKHOUSE_MEMORY_MB: '2048',
    });
  const onCold = (after: string) => ['--cold', cold(), '--cold-after', after];

  async function run(...args: readonly string[]) {
    const running = start(...args);
    const code = await running.ended;
    return { code, ...running.text };
  }
  async function answer(...args: readonly string[]) {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect(code, stderr + stdout).toBe(0);
    return JSON.parse(stdout);
  }
  async function index(...args: readonly string[]): Promise<void> {
    const indexed = await run('index', source, '--epoch-size', '20', '--keep-log', ...args);
    expect(indexed.code, indexed.stderr).toBe(0);
  }
  const status = (...args: readonly string[]) => answer('status', ...args);
  /** Names of parts in the cold folder, by table. */
  const coldParts = () =>
    folders(join(cold(), 'store')).flatMap((group) =>
      folders(group).flatMap((table) => folders(table).filter((path) => !/\/(detached|moving)$/.test(path))),
    );

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-cold-'));
    await index(...onCold('never'));
    expect(coldParts()).toEqual([]);
    before = await answers(...onCold('never'));
  }, SLOW_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    'moves old parts while it indexes and is killed, and answers the same to the byte',
    async () => {
      const { volumes } = await status(...onCold('never'));
      expect(volumes).toMatchObject({ cold_bytes: 0 });
      for (let round = 0; round < ROUNDS; round++) {
        const running = start('index', source, ...onCold('1s'), '--keep-log');
        const parts = coldParts().length;
        while (running.child.exitCode === null && coldParts().length === parts) await setTimeout(1);
        running.child.kill('SIGKILL');
        await running.ended;
      }
      await index(...onCold('1s'));
      const moved = await whenMoved();
      const raw = moved.tables.find(({ table }: { table: string }) => table === 'raw_blocks');
      expect(raw.cold_bytes).toBeGreaterThan(0);
      for (const name of ['account_transactions', 'transaction_payloads', 'messages', 'account_states'])
        expect(moved.tables.find(({ table }: { table: string }) => table === name)).toMatchObject({
          cold_bytes: 0,
        });
      expect(moved.volumes.cold_bytes).toBeGreaterThan(0);
      expect(moved.volumes.hot_bytes).toBeGreaterThan(0);
      expect((await run('status', ...onCold('1s'))).stdout).toMatch(
        /\nvolumes +[\d.]+ MiB hot, [\d.]+ MiB cold/,
      );
      expect(await answers(...onCold('1s'))).toEqual(before);
      expect(await answer('verify', '--log', ...onCold('1s'))).toMatchObject({ problems: 0 });
    },
    SLOW_MS,
  );

  it(
    'refuses a start without the folder, and without its disk',
    async () => {
      for (const command of [['status'], ['verify'], ['index', source]]) {
        const refused = await run(...command);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(`cold volume ${cold()}: old parts of tables are there`);
      }
      const elsewhere = await run('status', '--cold', join(folder, 'elsewhere'));
      expect(elsewhere.code).toBe(1);
      expect(elsewhere.stderr).toContain(`Give --cold ${cold()}`);
      renameSync(cold(), join(folder, 'unmounted'));
      const unmounted = await run('status', ...onCold('1s'));
      expect(unmounted.code).toBe(1);
      expect(unmounted.stderr).toContain('Is its disk mounted?');
      renameSync(join(folder, 'unmounted'), cold());
    },
    SLOW_MS,
  );

  it(
    'replays, rolls back and prunes with parts on the cold volume',
    async () => {
      const replayed = await run('replay', 'base', '--yes', ...onCold('1s'));
      expect(replayed.code, replayed.stderr).toBe(0);
      expect(await answers(...onCold('1s'))).toEqual(before);
      const moved = await whenMoved();
      expect(moved.database).toMatch(/_v2$/);
      expect(await answer('verify', ...onCold('1s'))).toMatchObject({ problems: 0 });
      expect((await run('replay', 'rollback', 'base', ...onCold('1s'))).code).toBe(0);
      expect(await answers(...onCold('1s'))).toEqual(before);
      expect((await run('replay', 'prune', 'base', ...onCold('1s'))).code).toBe(0);
      expect(await answer('verify', ...onCold('1s'))).toMatchObject({ problems: 0 });
    },
    SLOW_MS,
  );

  it(
    'repairs damaged parts of the cold folder',
    async () => {
      const ofEpoch = coldParts().filter((path) => /\/0_[^/]*$/.test(path));
      expect(ofEpoch.length).toBeGreaterThan(0);
      for (const path of ofEpoch)
        for (const name of readdirSync(path).filter((one) => one.endsWith('.bin'))) rmSync(join(path, name));
      const found = await run('verify', ...onCold('1s'));
      expect(found.code).toBe(1);
      expect(await answer('verify', '--repair', ...onCold('1s'))).toMatchObject({ problems: 0 });
      expect(await answers(...onCold('1s'))).toEqual(before);
    },
    SLOW_MS,
  );

  it(
    'moves all parts back, and then needs no folder',
    async () => {
      await index(...onCold('never'));
      // Parts that others replaced stay for some minutes, or until the server starts again.
      const serving = await serve(...onCold('never'));
      while (coldParts().length > 0) await setTimeout(200);
      await serving.stop();
      expect((await status()).volumes).toMatchObject({ cold_bytes: 0 });
      await index();
      rmSync(cold(), { recursive: true });
      expect(await answers()).toEqual(before);
      expect(await answer('verify')).toMatchObject({ problems: 0 });
    },
    SLOW_MS,
  );

  it(
    'refuses a ClickHouse server without the volume, and a folder for it',
    async () => {
      const server = await startTestServer();
      try {
        const to = (cold: string) =>
          startMain(['index', source, '--data', join(folder, 'external'), '--cold', cold], {
            TONHOUSE_LOG_LEVEL: 'error',
            TONHOUSE_CLICKHOUSE_URL: server.url,
            TONHOUSE_CLICKHOUSE_USER: String(server.connection.user),
            TONHOUSE_CLICKHOUSE_PASSWORD: String(server.connection.password),
          });
        const missing = to('tiered');
        expect(await missing.ended).toBe(1);
        expect(missing.text.stderr).toContain('has no volume cold in its storage policy tiered');
        const path = to('/mnt/cold');
        expect(await path.ended).toBe(2);
        expect(path.text.stderr).toContain('the name of a storage policy of the server');
      } finally {
        await server.stop();
      }
    },
    SLOW_MS,
  );

  /** The status when every table that moves by time has all bytes on the cold volume. */
  async function whenMoved() {
    for (;;) {
      // The server notes the times of old parts in the background.
      await index(...onCold('1s'));
      const found = await status(...onCold('1s'));
      const tables = ['blocks', 'shards', 'transactions', 'balances_by_time'].map((name) =>
        found.tables.find(({ table }: { table: string }) => table === name),
      );
      if (tables.every(({ bytes, cold_bytes }) => bytes === cold_bytes)) return found;
    }
  }

  async function serve(...args: readonly string[]) {
    const serving = start(
      ...['serve', '--port', '0', '--log-format', 'json', '--log-level', 'info'],
      ...['--query-timeout-ms', '60000', ...args],
    );
    let url: string | undefined;
    while (!url) {
      url = /"url":"(http:[^"]+)"/.exec(serving.text.stdout + serving.text.stderr)?.[1];
      if (serving.child.exitCode !== null) throw new Error(serving.text.stderr);
      await setTimeout(50);
    }
    const stop = async () => {
      serving.child.kill('SIGTERM');
      await serving.ended;
    };
    return { url, stop };
  }

  /** Answers that read tables of both volumes, of all masterchain blocks. */
  async function answers(...args: readonly string[]): Promise<unknown> {
    const serving = await serve(...args);
    try {
      const shard = encodeURIComponent('-9223372036854775808');
      const paths = [
        '/api/v3/transactions?limit=100&sort=asc',
        '/api/v3/messages?limit=100&sort=asc',
        '/api/v3/blocks?limit=100&sort=asc',
        ...Array.from({ length: 60 }, (_, i) => [
          `/api/v2/getBlockTransactionsExt?workchain=-1&shard=${shard}&seqno=${i + 1}&count=40`,
          `/api/v3/transactionsByMasterchainBlock?seqno=${i + 1}&limit=50`,
          `/api/v2/getShards?seqno=${i + 1}`,
        ]).flat(),
      ];
      const found: Record<string, unknown> = {};
      for (const path of paths) found[path] = await ask(serving.url + path);
      return found;
    } finally {
      await serving.stop();
    }
  }
});

function folders(parent: string): string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => join(parent, name));
}

async function ask(url: string): Promise<unknown> {
  for (;;) {
    const response = await fetch(url);
    const text = await response.text();
    // Nothing is visible yet.
    if (response.status === 503) await setTimeout(100);
    else {
      expect(response.status, text).toBe(200);
      const { '@extra': _, ...answer } = JSON.parse(text);
      return answer;
    }
  }
}
