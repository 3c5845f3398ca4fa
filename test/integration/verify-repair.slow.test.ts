import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { openBlockArchive } from '../../src/capture/block-archive.ts';
import { repairStore } from '../../src/engine/repair/repair-store.ts';
import { trimStoredEpochs } from '../../src/engine/retention/trim-log.ts';
import { openSteps } from '../../src/engine/verify/open-steps.ts';
import { storedTables } from '../../src/engine/versions/deferred-merges.ts';
import { readVisible } from '../../src/engine/watermark/visible-span.ts';
import type { Check } from '../../src/projections/base/verify/check.ts';
import { countedTables } from '../../src/projections/base/verify/counted-tables.ts';
import { readIndexFacts } from '../../src/projections/base/verify/index-facts.ts';
import { rowChecks } from '../../src/projections/base/verify/row-checks.ts';
import { runVerify } from '../../src/projections/base/verify/verify-stage.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import {
  indexVersion,
  NEWER_CODE,
  openReplayStore,
  REPLAY_SETTINGS,
  type ReplayStore,
} from '../helpers/replay-store.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { type Picture, storePicture } from '../simulation/common/store-picture.ts';

/** Nothing of these logs is unreadable. */
const fail = (error: Error) => {
  throw error;
};
const SLOW_MS = 600_000;
const route = 'test';
/** Problems that a check shows: as many tables are damaged at a time. */
const SAMPLES = 5;

describeWithChain('verify --repair', ({ source }) => {
  let server: TestServer;
  let store: ReplayStore;
  let database: string;
  let whole: Picture;

  beforeAll(async () => {
    server = await startTestServer();
    store = await openReplayStore({
      client: server.client,
      source,
      epochSize: 20,
      code: NEWER_CODE,
    });
    database = await indexVersion(store, 1, NEWER_CODE);
    whole = await storePicture(server.client, database);
  }, SLOW_MS);
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  /** Names of the checks that find something, each with its samples. Default: all checks. */
  async function problems(checks?: readonly Check[]): Promise<string[]> {
    const { client } = server;
    const results = await runVerify({
      client,
      database,
      visible: await readVisible(client, database, 'chain'),
      open: () => openSteps(store.parts, 1, fail),
      facts: await readIndexFacts(client, database, store.identity),
      recheckPausesMs: [],
      ...(checks && { checks }),
      onProgress() {},
      signal: new AbortController().signal,
    });
    return results
      .filter((one) => one.problems > 0)
      .map(({ name, samples }) => `${name}: ${samples.join('; ')}`);
  }

  async function repair(archive: string | null = null) {
    const opened = archive === null ? null : await openBlockArchive(archive);
    try {
      return await repairStore({ ...store.parts, projection: BASE }, REPLAY_SETTINGS, opened, {
        ...store.session('repair'),
        onStep() {},
      });
    } finally {
      await opened?.close();
    }
  }

  async function countRows(table: string): Promise<number> {
    const { rows } = await server.client.queryRows<[string]>(`SELECT count() FROM ${database}.${table}`, {
      route,
    });
    return Number(rows[0]![0]);
  }

  /** Loses the rows of every n-th step; of all steps if there are few. */
  async function damage(table: string, each = 2): Promise<void> {
    const before = await countRows(table);
    const columns = await server.client.queryRows<[string]>(
      'SELECT name FROM system.columns WHERE database = {database:String} AND table = {table:String}',
      { route, params: { database, table } },
    );
    const names = columns.rows.map(([name]) => name);
    const half = ['mc_seqno', 'first'].find((name) => names.includes(name));
    const hasFew =
      /^(account_codes|accounts_latest|balances_ranked|config_params|message_norm_hashes|balance_days|message_hours|transaction_hours)$/.test(
        table,
      );
    const lost = hasFew ? '1' : `${half} % ${half === 'first' ? 2 : each} = 0`;
    await server.client.command(`DELETE FROM ${database}.${table} WHERE ${lost}`, { route });
    expect(await countRows(table), table).toBeLessThan(before);
  }

  /** Does something to a few tables, and puts their rows back. */
  async function withCopies(tables: readonly string[], run: () => Promise<void>): Promise<void> {
    const { client } = server;
    for (const table of tables)
      await client.command(`CREATE TABLE ${database}.${table}_whole CLONE AS ${database}.${table}`, {
        route,
      });
    await run();
    for (const table of tables) {
      const copy = `${database}.${table}_whole`;
      await client.command(`EXCHANGE TABLES ${copy} AND ${database}.${table}`, { route });
      await client.command(`DROP TABLE ${copy} SYNC`, { route });
    }
  }

  /** Loses the newest step of each table: counts of rows find each of them. */
  async function expectCounted(tables: readonly string[], checks: readonly Check[]): Promise<void> {
    for (const table of tables) {
      const newest = `SELECT max(mc_seqno) FROM ${database}.${table}`;
      const { rows } = await server.client.queryRows<[number]>(newest, { route });
      await server.client.command(`DELETE FROM ${database}.${table} WHERE mc_seqno = ${rows[0]![0]}`, {
        route,
      });
    }
    const found = (await problems(checks)).join();
    for (const table of tables) expect(found).toContain(`: ${table} has `);
  }

  async function filledTables(): Promise<string[]> {
    const { rows } = await server.client.queryRows<[string]>(
      "SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree' AND total_rows > 0",
      { route, params: { database } },
    );
    return rows.map(([name]) => name);
  }

  it(
    'finds what is missing of any table, and builds it again',
    async () => {
      expect(await problems()).toEqual([]);
      const tables = await filledTables();
      const all = await countedTables(server.client, database);
      const counts = rowChecks(all);
      const counted = tables.filter((table) => all.includes(table));
      for (let at = 0; at < counted.length; at += SAMPLES) {
        const some = counted.slice(at, at + SAMPLES);
        await withCopies(some, () => expectCounted(some, counts));
      }
      for (const table of tables.filter((one) => !counted.includes(one)))
        await withCopies([table], async () => {
          await damage(table);
          // All checks are needed for tables whose rows no step counts.
          const found = await problems(counts);
          expect(found.length > 0 ? found : await problems(), table).not.toEqual([]);
        });
      await Promise.all(tables.map((table) => damage(table)));
      expect((await repair()).lost).toEqual([]);
      expect(await problems()).toEqual([]);
      expect(await storePicture(server.client, database)).toEqual(whole);
    },
    SLOW_MS,
  );

  it.each([
    'confirmed',
    'step_rows',
    'raw_blocks',
    'messages',
    'accounts_latest',
    'balances_ranked',
    'balance_days',
    'transaction_hours',
  ])(
    'rebuilds %s if only it is damaged',
    async (table) => {
      // A repair writes each step separately: a few steps show as much as half of them.
      await damage(table, 12);
      expect((await repair()).lost).toEqual([]);
      expect(await storePicture(server.client, database)).toEqual(whole);
    },
    SLOW_MS,
  );

  it(
    'builds everything again where nothing but the log is left',
    async () => {
      for (const table of await storedTables(server.client, database, route))
        await server.client.command(`TRUNCATE TABLE ${database}.${table} SYNC`, { route });
      await repair();
      expect(await storePicture(server.client, database)).toEqual(whole);
    },
    SLOW_MS,
  );

  it(
    'names the lost steps after the log has freed them, and reads them from an archive',
    async () => {
      const { signal } = store.session('trim');
      expect((await trimStoredEpochs(store.parts, 2 ** 30, signal)).length).toBeGreaterThan(0);
      const first = await server.client.queryRows<[number]>(
        `SELECT min(mc_seqno) FROM ${database}.raw_blocks`,
        { route },
      );
      const step = first.rows[0]![0];
      for (const table of ['raw_blocks', 'blocks', 'transactions'])
        await server.client.command(`DELETE FROM ${database}.${table} WHERE mc_seqno = ${step}`, { route });
      expect(await problems()).not.toEqual([]);
      const { lost } = await repair();
      expect(lost.map(({ position }) => position)).toEqual([step]);
      expect((await repair(source)).lost).toEqual([]);
      expect(await storePicture(server.client, database)).toEqual(whole);
    },
    SLOW_MS,
  );
});
