import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import { mergeOldest } from '../../src/engine/bulk/limit-parts.ts';
import { readUnmerged } from '../../src/engine/bulk/unmerged-partitions.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { storeEnvironment } from '../helpers/data-commands.ts';
import { startMain } from '../helpers/run-main.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const SLOW_MS = 600_000;
const EPOCHS = ['--epoch-size', '10', '--batch-rows', '40'];

describeWithChain('a bulk load', ({ source, isMainnet }) => {
  let folder: string;
  let server: TestServer;
  let truth: unknown;
  const databases = PROJECTIONS.map((projection) =>
    getDatabase({ network: isMainnet ? 'mainnet' : 'localnet' }, projection),
  );

  const start = (directory: string, ...args: readonly string[]) =>
    startMain(['index', source, '--data', join(folder, directory), ...EPOCHS, ...args], {
      TONHOUSE_LOG_LEVEL: 'error',
      ...storeEnvironment(server),
    });

  async function run(directory: string, ...args: readonly string[]): Promise<string> {
    const running = start(directory, ...args);
    expect(await running.ended, running.text.stderr).toBe(0);
    return running.text.stderr;
  }

  /** Starts a load and kills it when `isReached`. */
  async function killedWhen(directory: string, isReached: () => Promise<boolean>): Promise<void> {
    const running = start(directory, '--bulk');
    while (!(await isReached())) {
      if (running.child.exitCode !== null) throw new Error(`ended early: ${running.text.stderr}`);
      await setTimeout(5);
    }
    running.child.kill('SIGKILL');
    await running.ended;
  }

  async function count(sql: string): Promise<number> {
    const { rows } = await server.client.queryRows<[string]>(sql, { route: 'test', params: { databases } });
    return Number(rows[0]?.[0]);
  }
  const stored =
    "FROM system.tables WHERE database IN {databases:Array(String)} AND engine LIKE '%MergeTree'";
  const deferred = () =>
    count(`SELECT count() ${stored} AND create_table_query LIKE '%min_parts_to_merge_at_once%'`);
  const confirmed = (database: string) =>
    count(`SELECT sum(total_rows) FROM system.tables WHERE database = '${database}' AND name = 'confirmed'`);

  async function picture(): Promise<unknown> {
    return Promise.all(databases.map((database) => versionPicture(server.client, database)));
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-bulk-'));
    server = await startTestServer();
    await run('usual');
    truth = await picture();
    await emptyServer(server);
  }, SLOW_MS);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'has the rows of a usual index after kill -9 during the load and during its merge, and merges to one part',
    async () => {
      const base = databases[0] ?? '';
      await killedWhen('data', async () => (await confirmed(base)) > 2);
      const all = await count(`SELECT count() ${stored}`);
      expect(await deferred()).toBeGreaterThan(all / 2);
      // Nothing was merged yet: each batch of base left a part.
      expect((await readUnmerged(server.client, [base])).length).toBeGreaterThan(10);

      // Oldest epochs are merged if there are too many parts; the newest one never.
      const log = { info() {}, warn() {} };
      await mergeOldest(server.client, { databases: [base], log, maxParts: 1 }, new AbortController().signal);
      const few = await readUnmerged(server.client, [base]);
      const byTable = Map.groupBy(few, ({ table }) => table);
      for (const [table, partitions] of byTable) expect(partitions.length, table).toBe(1);

      const before = { deferred: 0 };
      await killedWhen('data', async () => {
        const now = await deferred();
        const isMerging = now > 0 && now < before.deferred && (await confirmed(base)) > 2;
        before.deferred = Math.max(before.deferred, now);
        return isMerging;
      });
      expect(await deferred()).toBeGreaterThan(0);
      const stderr = await run('data', '--bulk');
      expect(stderr).toMatch(/merged MB: \d+\/\d+ /);
      expect(await deferred()).toBe(0);
      expect(await readUnmerged(server.client, databases)).toEqual([]);
      expect(await picture()).toEqual(truth);
    },
    SLOW_MS,
  );

  it(
    'is continued by a usual start, after which the store merges as usual',
    async () => {
      await emptyServer(server);
      await killedWhen('other', async () => (await confirmed(databases[0] ?? '')) > 2);
      expect(await deferred()).toBeGreaterThan(0);
      await run('other');
      expect(await deferred()).toBe(0);
      expect(await picture()).toEqual(truth);
    },
    SLOW_MS,
  );
});
