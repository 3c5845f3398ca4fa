import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteWriting } from '../../../src/engine/sink/fence.ts';
import { gateLandings } from '../../../src/engine/sink/gate.ts';
import { readTables } from '../../../src/engine/versions/version-schema.ts';
import { encodeNativeBlock } from '../../../src/platform/clickhouse/native-format.ts';
import { nativeColumn, nativeTable } from '../../helpers/native-values.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';
import { createFixture, DEFINITION, gateFixture } from './sink-fixture.ts';

const DATABASE = 'gate_test';
const RANGE = `${DATABASE}:decode:0:40:`;
const route = 'test/gate';
const REFUSED = { code: 395 };

const STEPS = nativeTable(
  'steps',
  [nativeColumn('mc_seqno', 'UInt32', [1, 2]), nativeColumn('name', 'String', ['a', 'b'])],
  2,
);

describe('the gates of landing tables', () => {
  let store: TestStore;
  const command = (sql: string) => store.client.command(sql, { route });
  const close = (range: string, attempt: number) =>
    command(`INSERT INTO ${DATABASE}.fences (range, attempt) VALUES ('${range}', ${attempt})`);
  const insert = (queryId: string) =>
    store.client.insertNative(`${DATABASE}.land_steps`, encodeNativeBlock(STEPS), { route, queryId });
  const written = async () =>
    (await store.client.queryRows<[string]>(`SELECT count() FROM ${DATABASE}.steps`, { route })).rows[0]?.[0];

  beforeAll(async () => {
    store = await openTestStore('gate_test');
  });
  beforeEach(() => createFixture(store.client, DATABASE));
  afterAll(() => store?.stop());

  it('refuse an attempt that was closed and those before it, and nothing else', async () => {
    expect(await gateFixture(store.client, DATABASE)).toBe(true);
    await close(RANGE, 2);
    for (const attempt of [1, 2]) {
      await expect(insert(`${RANGE}a${attempt}:steps`)).rejects.toMatchObject(REFUSED);
    }
    expect(await written()).toBe('0');
    await insert(`${RANGE}a3:steps`);
    await insert(`${RANGE}a11:steps`);
    await insert(`${DATABASE}:decode:0:4:a1:steps`);
    await insert('no-attempt');
    expect(await written()).toBe('8');
    // An owner that was late closes what was closed: nothing opens again.
    await close(RANGE, 1);
    await expect(insert(`${RANGE}a2:steps`)).rejects.toMatchObject(REFUSED);
  });

  it('refuse what was closed before there were gates, in whichever order it was', async () => {
    await close(RANGE, 3);
    await close(RANGE, 1);
    await insert(`${RANGE}a3:steps`);
    await gateFixture(store.client, DATABASE);
    await expect(insert(`${RANGE}a3:steps`)).rejects.toMatchObject(REFUSED);
    await insert(`${RANGE}a4:steps`);
  });

  it('refuse it too once the table of closed attempts was read from the disk again', async () => {
    await gateFixture(store.client, DATABASE);
    await close(RANGE, 1);
    await command(`DETACH TABLE ${DATABASE}.closed_attempts`);
    await expect(insert(`${RANGE}a2:steps`)).rejects.toThrow('closed_attempts');
    await command(`ATTACH TABLE ${DATABASE}.closed_attempts`);
    await expect(insert(`${RANGE}a1:steps`)).rejects.toMatchObject(REFUSED);
  });

  it('take no note of a tenure for a closing', async () => {
    await gateFixture(store.client, DATABASE);
    const tenure = { name: `${DATABASE}:decode/fill/0/`, generation: 1_000_000 };
    const noted = { client: store.client, fences: `${DATABASE}.fences`, tenure };
    await noteWriting(noted, 'begun', new AbortController().signal);
    const { rows } = await store.client.queryRows(`SELECT count() FROM ${DATABASE}.closed_attempts`, {
      route,
    });
    expect(rows).toEqual([['0']]);
  });

  it('are given once, and are no column of the version', async () => {
    const before = await readTables(store.client, DATABASE);
    await gateFixture(store.client, DATABASE);
    expect(await gateLandings(store.client, { ...DEFINITION, database: DATABASE, meta: DATABASE })).toBe(
      true,
    );
    const { closed_attempts: _, ...after } = await readTables(store.client, DATABASE);
    expect(after).toEqual(before);
  });
});
