import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasAllFiles, migrate } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import {
  MigrationChangedError,
  MigrationError,
} from '../../../src/platform/clickhouse/migrations/migration-errors.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';

const META = join(import.meta.dirname, '../../../clickhouse/meta');
const route = 'test/migrate';

let store: TestStore;
let directory: string;
let networks = 0;
let network: string;

beforeAll(async () => {
  store = await openTestStore('test_migrate');
});
afterAll(() => store?.stop());

beforeEach(() => {
  network = `test_migrate_${++networks}`;
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-migrate-'));
  cpSync(META, join(directory, 'meta'), { recursive: true });
  mkdirSync(join(directory, 'base'));
  put(
    '0001_items.sql',
    'CREATE TABLE IF NOT EXISTS {db}.items{cluster} (x UInt32) ENGINE = {engine:MergeTree} PARTITION BY intDiv(x, {epoch_size}) ORDER BY x;',
  );
  put(
    '0002_view.sql',
    '-- a view; of items\nCREATE VIEW IF NOT EXISTS {db}.doubled{cluster} AS SELECT 2 * x AS y FROM {db}.items;',
  );
  return () => rmSync(directory, { recursive: true });
});

const put = (name: string, text: string) => writeFileSync(join(directory, 'base', name), text);
const options = (version = 1) => ({ network, projection: 'base', version, directory, epochSize: 100 });

async function failure(): Promise<unknown> {
  return migrate(store.client, options()).catch((error: unknown) => error);
}

describe('migrate', () => {
  it('applies what is missing, once', async () => {
    expect(await migrate(store.client, options())).toEqual({
      applied: [
        'meta/0001_meta.sql',
        'meta/0002_versions.sql',
        'meta/0003_fences.sql',
        'meta/0004_api_keys.sql',
        'meta/0005_fetched_cells.sql',
        'meta/0006_detection.sql',
        'meta/0007_token_contents.sql',
        'meta/0008_token_overrides.sql',
        'meta/0009_hooks.sql',
        'meta/0010_integrity_proofs.sql',
        'meta/0011_detected_keys.sql',
        'meta/0012_found_codes.sql',
        'meta/0013_mintless.sql',
        'meta/0014_detected_contracts.sql',
        'meta/0015_detected_contract_keys.sql',
        'meta/0016_confirmed_tokens.sql',
        'meta/0017_hidden_methods.sql',
        'meta/0018_closed_attempts.sql',
        'meta/0019_secrets.sql',
        'meta/0020_sql_users.sql',
        'meta/0021_cold_epochs.sql',
        'base/0001_items.sql',
        'base/0002_view.sql',
      ],
    });
    expect(await migrate(store.client, options())).toEqual({ applied: [] });
    put(
      '0003_more.sql',
      'CREATE TABLE IF NOT EXISTS {db}.more{cluster} (x UInt32) ENGINE = {engine:MergeTree} ORDER BY x;',
    );
    expect(await hasAllFiles(store.client, options())).toBe(false);
    expect(await migrate(store.client, options())).toEqual({ applied: ['base/0003_more.sql'] });
    expect(await hasAllFiles(store.client, options())).toBe(true);
    const sql = `SELECT partition_key FROM system.tables WHERE database = '${network}_base_v1' AND name = 'items'`;
    expect((await store.client.queryRows(sql, { route })).rows).toEqual([['intDiv(x, 100)']]);
  });

  it('gives each version its own database', async () => {
    await migrate(store.client, options(1));
    expect(await migrate(store.client, options(2))).toEqual({
      applied: ['base/0001_items.sql', 'base/0002_view.sql'],
    });
    expect(await hasAllFiles(store.client, options(3))).toBe(false);
  });

  it('refuses a file that was edited after it was applied, with both checksums', async () => {
    await migrate(store.client, options());
    put('0001_items.sql', 'CREATE VIEW IF NOT EXISTS {db}.items{cluster} AS SELECT 1;');
    const error = await failure();
    expect(error).toBeInstanceOf(MigrationChangedError);
    const { applied, found, file } = error as MigrationChangedError;
    expect(file).toBe('base/0001_items.sql');
    expect(String(error)).toContain(applied);
    expect(String(error)).toContain(found);
    expect(applied).not.toBe(found);
    expect(await hasAllFiles(store.client, options())).toBe(false);
  });

  it('refuses when an applied file is missing', async () => {
    await migrate(store.client, options());
    rmSync(join(directory, 'base', '0002_view.sql'));
    expect(await failure()).toMatchObject({
      name: 'MigrationChangedError',
      file: 'base/0002_view.sql',
      found: null,
    });
  });

  it('refuses files that alter tables, before anything is applied', async () => {
    put('0003_alter.sql', 'ALTER TABLE {db}.items{cluster} ADD COLUMN y UInt32;');
    expect(await failure()).toMatchObject({ name: 'MigrationError', file: 'base/0003_alter.sql' });
  });

  it('leaves files of a later release to it, in the database of the network', async () => {
    const last = readdirSync(join(directory, 'meta')).sort().at(-1) ?? '';
    const later = join(
      directory,
      'meta',
      `${String(Number(last.slice(0, 4)) + 1).padStart(4, '0')}_later.sql`,
    );
    writeFileSync(later, 'CREATE VIEW IF NOT EXISTS {db}.later{cluster} AS SELECT 1;');
    await migrate(store.client, options());
    rmSync(later);
    expect(await migrate(store.client, options())).toEqual({ applied: [] });
  });

  it('starts a file again that failed half-way, and names it', async () => {
    const good =
      'CREATE TABLE IF NOT EXISTS {db}.half{cluster} (x UInt32) ENGINE = {engine:MergeTree} ORDER BY x;';
    put(
      '0003_half.sql',
      `${good}\nCREATE TABLE IF NOT EXISTS {db}.bad{cluster} (x Nonsense) ENGINE = {engine:MergeTree} ORDER BY x;`,
    );
    const error = await failure();
    expect(error).toBeInstanceOf(MigrationError);
    expect(error).toMatchObject({ file: 'base/0003_half.sql', cause: { code: 50 } });
    put('0003_half.sql', good);
    expect(await migrate(store.client, options())).toEqual({ applied: ['base/0003_half.sql'] });
  });
});
