import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deferMerges, resumeMerges } from '../../../src/engine/versions/deferred-merges.ts';
import { dropVersion, ServedVersionError } from '../../../src/engine/versions/drop-version.ts';
import {
  ANNOUNCE_MS,
  listVersions,
  MissingVersionError,
  readPointer,
  setPointer,
} from '../../../src/engine/versions/projection-pointer.ts';
import {
  establishStore,
  readStoreIdentity,
  StoreIdentityError,
} from '../../../src/engine/versions/store-identity.ts';
import { migrateMeta } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';

const directory = join(import.meta.dirname, '../../../clickhouse');
const route = 'test/versions';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore('test_versions');
});
afterAll(() => store?.stop());

async function newNetwork(network: string): Promise<string> {
  await migrateMeta(store.client, { network, directory });
  return network;
}

describe('the projection pointer', () => {
  it('is the newest one that was set, by projection', async () => {
    const network = await newNetwork('test_versions_pointers');
    for (const name of ['base_v1', 'base_v2', 'base_v10', 'traces_v1', 'basement_v9', 'base_vx']) {
      await store.client.command(`CREATE DATABASE ${network}_${name}`, { route });
    }
    const served = async (projection: string) =>
      (await readPointer(store.client, network, projection)).version;
    expect(await served('base')).toBeNull();
    await setPointer(store.client, { network, projection: 'base', version: 1 });
    await setPointer(store.client, { network, projection: 'traces', version: 1 });
    await setPointer(store.client, { network, projection: 'base', version: 2 });
    expect([await served('base'), await served('traces')]).toEqual([2, 1]);
    await setPointer(store.client, { network, projection: 'base', version: 1 });
    await setPointer(store.client, { network, projection: 'base', version: 1 });
    expect([await served('base'), await served('traces')]).toEqual([1, 1]);
    const { rows } = await store.client.queryRows(
      `SELECT version, revision FROM ${network}.projection_pointer WHERE projection = 'base' ORDER BY revision`,
      { route },
    );
    expect(rows).toEqual([
      [1, '1'],
      [2, '2'],
      [1, '3'],
    ]);
    expect(await listVersions(store.client, network, 'base')).toEqual([1, 2, 10]);
  });

  it('does not lead to a database that is not there', async () => {
    const network = await newNetwork('test_versions_missing');
    const pointing = setPointer(store.client, { network, projection: 'base', version: 3 });
    await expect(pointing).rejects.toThrow(MissingVersionError);
    expect(await readPointer(store.client, network, 'base')).toEqual({ version: null, next: null });
  });

  it('is announced before it moves, and neither version can be dropped meanwhile', async () => {
    const network = await newNetwork('test_versions_announced');
    const owner = { network, projection: 'base' };
    for (const version of [1, 2])
      await store.client.command(`CREATE DATABASE ${network}_base_v${version}`, { route });
    await setPointer(store.client, { ...owner, version: 1 });
    await setPointer(store.client, { ...owner, version: 2 }, ANNOUNCE_MS);
    const { version, next } = await readPointer(store.client, network, 'base');
    expect([version, next?.version]).toEqual([1, 2]);
    expect((next?.at ?? Infinity) - performance.now()).toBeLessThanOrEqual(ANNOUNCE_MS);
    for (const version of [1, 2]) {
      const record = { version, codeVersion: 1, state: 'ready', detail: {}, schema: null } as const;
      await expect(dropVersion(store.client, owner, record)).rejects.toThrow(ServedVersionError);
    }
    await expect
      .poll(() => readPointer(store.client, network, 'base'), { timeout: ANNOUNCE_MS + 60_000 })
      .toEqual({ version: 2, next: null });
  });

  it('lets a version be dropped that a look-up still reads', async () => {
    const network = await newNetwork('test_versions_lookup');
    const owner = { network, projection: 'base' };
    const database = `${network}_base_v1`;
    await store.client.command(`CREATE DATABASE ${database}`, { route });
    await store.client.command(
      `CREATE TABLE ${database}.facts (id UInt64, value String) ENGINE = MergeTree ORDER BY id`,
      { route },
    );
    await store.client.command(
      `CREATE DICTIONARY ${network}.lake_facts_v1 (id UInt64, value String DEFAULT '') PRIMARY KEY id
       SOURCE(CLICKHOUSE(QUERY 'SELECT id, value FROM ${database}.facts WHERE {condition}')) LAYOUT(COMPLEX_KEY_DIRECT())`,
      { route },
    );
    const record = { version: 1, codeVersion: 1, state: 'ready', detail: {}, schema: null } as const;
    await dropVersion(store.client, owner, record);
    const { rows } = await store.client.queryRows(
      `SELECT name FROM system.databases WHERE name = '${database}'`,
      { route },
    );
    expect(rows).toEqual([]);
  });

  it('applies even if a clock was set back before it', async () => {
    const network = await newNetwork('test_versions_clock');
    await store.client.command(
      `INSERT INTO ${network}.projection_pointer (projection, version, revision, changed_at)
       SELECT 'base', number, number, now64(3) + toIntervalHour(number - 1) FROM numbers(1, 2)`,
      { route },
    );
    expect(await readPointer(store.client, network, 'base')).toEqual({ version: 2, next: null });
  });
});

describe('the identity of the store', () => {
  const identity = { id: 'root:file', epoch_size: '200000' };

  it('is recorded once and compared at every start', async () => {
    const network = await newNetwork('test_versions_identity');
    expect(await readStoreIdentity(store.client, network)).toBeNull();
    await establishStore(store.client, network, identity);
    await establishStore(store.client, network, identity);
    expect(await readStoreIdentity(store.client, network)).toEqual(identity);
  });

  it.each<[string, Record<string, string>, object]>([
    ['another value', { ...identity, id: 'other' }, { key: 'id', recorded: 'root:file', wanted: 'other' }],
    ['a missing key', { id: 'root:file' }, { key: 'epoch_size', recorded: '200000', wanted: null }],
    ['a new key', { ...identity, start: '5' }, { key: 'start', recorded: null, wanted: '5' }],
  ])('refuses %s', async (name, wanted, facts) => {
    const network = await newNetwork(`test_versions_identity_${name.replaceAll(' ', '_')}`);
    await establishStore(store.client, network, identity);
    const error = await establishStore(store.client, network, wanted).catch((inner: unknown) => inner);
    expect(error).toBeInstanceOf(StoreIdentityError);
    expect(error).toMatchObject(facts);
    expect(await readStoreIdentity(store.client, network)).toEqual(identity);
  });
});

describe('a database that nobody reads yet', () => {
  it('merges seldom until it merges as usual', async () => {
    const database = 'test_versions_merges_base_v1';
    await store.client.command(`CREATE DATABASE ${database}`, { route });
    const settings = 'SETTINGS index_granularity = 8192, merge_selector_base = 20';
    const made = `CREATE TABLE ${database}.rows (x UInt8) ENGINE = MergeTree ORDER BY x ${settings}`;
    await store.client.command(made, { route });
    const madeAs = async () => {
      const { rows } = await store.client.queryRows<[string]>(
        `SELECT engine_full FROM system.tables WHERE database = '${database}'`,
        { route },
      );
      return rows[0]?.[0];
    };
    const before = await madeAs();
    await deferMerges(store.client, database);
    expect(await madeAs()).toContain('min_parts_to_merge_at_once = 128');
    expect(await madeAs()).toContain('merge_selector_base = 64');
    await resumeMerges(store.client, database);
    expect(await madeAs()).toBe(before);
    await resumeMerges(store.client, database);
    expect(await madeAs()).toBe(before);
  });
});
