import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Key, type KeyType, keySet } from '../../../src/platform/clickhouse/key-set.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';

const WAIT_MS = 120_000;
const route = { route: 'test' };
const TYPES: readonly KeyType[] = ['FixedString(32)', 'Int32', 'UInt64', 'UInt32'];
const ROWS = 1_000;

/** Bytes that end texts or begin escapes, and the ends of each number's range. */
const EDGES: readonly Key[] = [
  [Buffer.alloc(32), -(2 ** 31), 0n, 0],
  [Buffer.alloc(32, 0xff), 2 ** 31 - 1, 2n ** 64n - 1n, 2 ** 32 - 1],
  [Buffer.from(`'\\"{}\n\0x7f`.padEnd(32, "'")), -1, 2n ** 53n + 1n, 1],
];
const stored: readonly Key[] = [
  ...EDGES,
  ...Array.from({ length: ROWS }, (_, i): Key => [randomBytes(32), i % 2 ? 0 : -1, BigInt(i) << 40n, i]),
];
const others: readonly Key[] = stored.map(([id, workchain, lt, step]) => [
  id!,
  workchain!,
  lt!,
  (Number(step) + 1) % 2 ** 32,
]);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.client.command(
    `CREATE TABLE keyed (id FixedString(32), workchain Int32, lt UInt64, step UInt32) ORDER BY (id, workchain, lt) SETTINGS index_granularity = 16`,
    route,
  );
  const values = stored.map(
    ([id, ...numbers]) =>
      `(unhex('${Buffer.from(id as Uint8Array).toString('hex')}'), ${numbers.join(', ')})`,
  );
  await server.client.command(`INSERT INTO keyed VALUES ${values.join(', ')}`, route);
}, WAIT_MS);
afterAll(() => server?.stop());

async function findSteps(types: readonly KeyType[], keys: readonly Key[], columns: string) {
  const { rows } = await server.client.queryRows<[number]>(
    `SELECT step FROM keyed WHERE ${columns} IN ${keySet(types, keys)} ORDER BY step`,
    route,
  );
  return rows.map(([step]) => step);
}

const steps = (keys: readonly Key[]) => keys.map((key) => Number(key[3])).sort((a, b) => a - b);

it.each([1, 3, 48, 49, ROWS])('finds exactly %i keys of all types', async (count) => {
  const keys = stored.slice(0, count);
  const found = await findSteps(TYPES, [...keys, ...others.slice(0, count)], '(id, workchain, lt, step)');
  expect(found).toEqual(steps(keys));
});

it.each([2, 100])('finds %i keys of one column', async (count) => {
  const keys = stored.slice(0, count);
  expect(
    await findSteps(
      ['FixedString(32)'],
      keys.map(([id]) => [id!]),
      'id',
    ),
  ).toEqual(steps(keys));
});

it('searches the primary key, however many keys there are', async () => {
  const keys = stored.slice(0, 60).map(([id, workchain]) => [id!, workchain!]);
  const plan = await server.client.queryText(
    `EXPLAIN indexes = 1 SELECT step FROM keyed WHERE (id, workchain) IN ${keySet(['FixedString(32)', 'Int32'], keys)} FORMAT TSVRaw`,
    route,
  );
  expect(plan).toMatch(/in 60-element set/);
});

it.each([1, 100])('refuses what does not fit its type, in %i keys', (length) => {
  const many = (part: Key[number]) => Array.from({ length }, () => [part]);
  expect(() => keySet(['FixedString(32)'], many(Buffer.alloc(31)))).toThrow(RangeError);
  expect(() => keySet(['UInt32'], many(2 ** 32))).toThrow(RangeError);
  expect(() => keySet(['UInt64'], many(-1n))).toThrow(RangeError);
});
