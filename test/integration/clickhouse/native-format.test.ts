import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeNativeBlock } from '../../../src/platform/clickhouse/native-format.ts';
import { BASE_TABLES } from '../../../src/tables/base-tables.ts';
import { encodeValues, nativeColumn, nativeTable, type Value } from '../../helpers/native-values.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore('native_test');
  await store.client.command('CREATE DATABASE native_test', { route });
});
afterAll(() => store?.stop());

const route = 'test/native';

/** Values at the edges of a type. */
function samples(type: string): Value[] {
  const inner = /^Nullable\((.+)\)$/.exec(type)?.[1];
  if (inner) return [null, ...samples(inner), null];
  if (type === 'Bool') return [true, false, true];
  if (type === 'String')
    return ['', 'a', 'x'.repeat(127), 'y'.repeat(128), new Uint8Array(randomBytes(20_000))];
  if (type.startsWith('FixedString')) return [new Uint8Array(32), new Uint8Array(randomBytes(32))];
  if (type.startsWith('Map'))
    return [
      new Map(),
      new Map([[1, 2n ** 255n]]),
      new Map(),
      new Map([
        [5, 0n],
        [4294967295, 7n],
      ]),
    ];
  if (type.startsWith('Enum8')) return [...type.matchAll(/= (-?\d+)/g)].map((match) => Number(match[1]));
  const signed = type.startsWith('Int');
  const bits = BigInt(type.replace(/\D/g, ''));
  return signed ? [-(2n ** (bits - 1n)), -1n, 0n, 2n ** (bits - 1n) - 1n] : [0n, 1n, 2n ** bits - 1n];
}

const TYPES = [...new Set(Object.values(BASE_TABLES).flatMap((table) => Object.values<string>(table)))];

describe('Native blocks', () => {
  it.each(TYPES)('are read from the server as they were sent: %s', async (type) => {
    const values = samples(type);
    const table = `native_test.t${TYPES.indexOf(type)}`;
    await store.client.command(`CREATE TABLE ${table} (i UInt32, v ${type}) ENGINE = MergeTree ORDER BY i`, {
      route,
    });
    const index = nativeColumn(
      'i',
      'UInt32',
      values.map((_, i) => i),
    );
    const block = nativeTable('t', [index, nativeColumn('v', type, values)], values.length);
    await store.client.insertNative(table, encodeNativeBlock(block), { route });
    // The server's own Native output of the column must be the very bytes that were sent (NULL places aside).
    const back = await store.client.queryBytes(`SELECT v FROM ${table} ORDER BY i FORMAT Native`, { route });
    const data = encodeValues(type, values);
    expect(back.subarray(back.length - data.length)).toEqual(Buffer.from(data));
    const name = back.subarray(0, back.length - data.length).toString();
    expect(name.slice(-type.length)).toBe(type);
  });

  it('may follow each other in one insert, in any order of columns, with parts of any size', async () => {
    const table = 'native_test.many';
    await store.client.command(`CREATE TABLE ${table} (a UInt64, s String) ENGINE = MergeTree ORDER BY a`, {
      route,
    });
    const count = 20_000;
    const text = encodeValues(
      'String',
      Array.from({ length: count }, (_, i) => `row ${i}`),
    );
    const numbers = encodeValues(
      'UInt64',
      Array.from({ length: count }, (_, i) => i),
    );
    const cut = (bytes: Uint8Array, size: number) =>
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
    const block = nativeTable(
      'many',
      [
        { name: 's', type: 'String', parts: () => cut(text, 1000) },
        { name: 'a', type: 'UInt64', parts: () => cut(numbers, 100_000) },
      ],
      count,
    );
    await store.client.insertNative(table, [...encodeNativeBlock(block), ...encodeNativeBlock(block)], {
      route,
    });
    const { rows } = await store.client.queryRows(
      `SELECT count(), sum(a), countIf(s != concat('row ', toString(a))) FROM ${table}`,
      { route },
    );
    expect(rows).toEqual([[String(2 * count), String(count * (count - 1)), '0']]);
  });

  it('with a column that the table does not have, or of another length, are refused', async () => {
    const table = 'native_test.strict';
    await store.client.command(`CREATE TABLE ${table} (a UInt32) ENGINE = MergeTree ORDER BY a`, { route });
    const stranger = nativeTable(
      'strict',
      [nativeColumn('a', 'UInt32', [1]), nativeColumn('b', 'UInt8', [1])],
      1,
    );
    await expect(
      store.client.insertNative(table, encodeNativeBlock(stranger), { route }),
    ).rejects.toMatchObject({ code: 117 });
    const short = nativeTable('strict', [nativeColumn('a', 'UInt32', [1])], 2);
    await expect(store.client.insertNative(table, encodeNativeBlock(short), { route })).rejects.toMatchObject(
      { code: 33 },
    );
    expect((await store.client.queryRows(`SELECT count() FROM ${table}`, { route })).rows).toEqual([['0']]);
  });

  it('under a token that the table remembers are dropped', async () => {
    const table = 'native_test.tokens';
    await store.client.command(
      `CREATE TABLE ${table} (a UInt32) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100`,
      { route },
    );
    const block = nativeTable('tokens', [nativeColumn('a', 'UInt32', [1, 2])], 2);
    for (const token of ['t1', 't1', 't2']) {
      await store.client.insertNative(table, encodeNativeBlock(block), { route, token });
    }
    expect((await store.client.queryRows(`SELECT count() FROM ${table}`, { route })).rows).toEqual([['4']]);
  });
});
