import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadStore, openSessionStore } from '../../src/cli/compose/store.ts';
import { runSession, type Session } from '../../src/cli/session.ts';
import { STORE_SETTINGS } from '../../src/cli/setting-groups.ts';
import { PROJECT } from '../../src/engine/project-files.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { runCli } from '../helpers/run-cli.ts';

const LIMIT_MS = 600_000;
const META = join(PROJECT, 'clickhouse/meta');
/** The newest migration, and the tables that it makes. */
const NEWEST = readdirSync(META).sort().at(-1) as string;
const TABLE = /CREATE TABLE IF NOT EXISTS \{db\}\.(\w+)/g;
const NEW_TABLES = [...readFileSync(join(META, NEWEST), 'utf8').matchAll(TABLE)];
const OLDER = `was made by an older release and lacks meta/${NEWEST}: \`tonhouse migrate\``;

describe('commands that only read', () => {
  let root: string;
  let data: string;
  let packs: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'tonhouse-read-only-'));
    data = join(root, 'data');
    packs = join(root, 'packs');
    await generatePacks({ directory: packs, transactions: 40, seed: 'test', shards: 1, synthetic: true });
  }, LIMIT_MS);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function withStore<T>(open: typeof openReadStore, work: (client: StoreClient) => Promise<T>): Promise<T> {
    const settings = resolveSettings(STORE_SETTINGS, { data });
    return runSession({ logLevel: 'error' }, async (session: Session) =>
      work(await open(data, settings, session)),
    );
  }

  /** The migrations that the store knows, and all tables. */
  const pictureOf = () =>
    withStore(openReadStore, async (client) => {
      const { rows: files } = await client.queryRows(
        'SELECT DISTINCT file FROM localtest.migrations ORDER BY file',
        {
          route: 'test',
        },
      );
      const { rows: tables } = await client.queryRows(
        "SELECT database, name FROM system.tables WHERE database LIKE 'localtest%' ORDER BY database, name",
        { route: 'test' },
      );
      return { files, tables };
    });

  /** Makes the store one of a release that did not know the newest migration yet. */
  const makeOlder = () =>
    withStore(openSessionStore, async (client) => {
      // Its landing tables look at no closings.
      const { rows: gated } = await client.queryRows<[string]>(
        "SELECT database || '.' || table FROM system.columns WHERE database LIKE 'localtest%' AND name = 'gate'",
        { route: 'test' },
      );
      for (const [table] of gated)
        await client.command(`ALTER TABLE ${table} DROP COLUMN gate`, { route: 'test' });
      for (const [, table] of NEW_TABLES)
        await client.command(`DROP TABLE localtest.${table} SYNC`, { route: 'test' });
      await client.command(`DELETE FROM localtest.migrations WHERE file = 'meta/${NEWEST}'`, {
        route: 'test',
        settings: { lightweight_deletes_sync: 2 },
      });
    });

  it(
    'report that nothing exists yet, and create nothing',
    async () => {
      const captured = await runCli([
        'capture',
        `archive:${packs}`,
        '--network',
        'localtest',
        '--data',
        data,
      ]);
      expect(captured.code, captured.stderr).toBe(0);
      const status = await runCli(['status', '--json', '--data', data]);
      expect(status.code, status.stderr).toBe(0);
      expect(JSON.parse(status.stdout)).toMatchObject({
        projections: [],
        visible: null,
        tables: [],
        writer: null,
      });
      expect((await runCli(['status', '--data', data])).stdout).toMatch(/nothing is made yet/);
      const verify = await runCli(['verify', '--data', data]);
      expect(verify.code).toBe(1);
      expect(verify.stderr).toMatch(/contains no index/);
      const databases = await withStore(openReadStore, (client) =>
        client.queryRows("SELECT name FROM system.databases WHERE name LIKE 'localtest%'", { route: 'test' }),
      );
      expect(databases.rows).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'name what an older store lacks with exit code 3, and change nothing until it is migrated',
    async () => {
      const indexed = await runCli(['index', `archive:${packs}`, '--network', 'localtest', '--data', data]);
      expect(indexed.code, indexed.stderr).toBe(0);
      await makeOlder();
      const before = await pictureOf();
      for (const command of ['status', 'verify']) {
        const { code, stderr } = await runCli([command, '--data', data]);
        expect(code, stderr).toBe(3);
        expect(stderr).toContain(OLDER);
      }
      expect(await pictureOf()).toEqual(before);
      expect((await runCli(['migrate', '--data', data])).stdout).toContain(`applied meta/${NEWEST}`);
      for (const command of ['status', 'verify']) {
        const { code, stderr } = await runCli([command, '--data', data]);
        expect(code, stderr).toBe(0);
      }
    },
    LIMIT_MS,
  );

  it(
    'have a client that refuses to write',
    async () => {
      await withStore(openReadStore, async (client) => {
        await expect(client.command('CREATE DATABASE localtest_new', { route: 'test' })).rejects.toThrow(
          'test: the store is open for reading only',
        );
        await expect(client.insertNative('localtest.x', new Uint8Array(), { route: 'test' })).rejects.toThrow(
          'reading only',
        );
      });
    },
    LIMIT_MS,
  );
});
