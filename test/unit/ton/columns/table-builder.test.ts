import { describe, expect, it } from 'vitest';
import { ColumnTypeError, enumCodes, parseColumnType } from '../../../../src/tables/column-type.ts';
import { ColumnBytesError, readColumn, readTable } from '../../../../src/ton/columns/column-reader.ts';
import { RowError, TableBuilder } from '../../../../src/ton/columns/table-builder.ts';

const COLUMNS = {
  u8: 'UInt8',
  u16: 'UInt16',
  i32: 'Int32',
  flag: 'Bool',
  kind: "Enum8('none' = 0, 'some' = 1, 'last' = 5)",
  lt: 'UInt64',
  grams: 'UInt128',
  hash: 'FixedString(32)',
  text: 'String',
  maybe: 'Nullable(UInt32)',
  fee: 'Nullable(UInt128)',
  extra: 'Map(UInt32, UInt256)',
} as const;

function fill(table: TableBuilder<typeof COLUMNS>, seed: number): void {
  const { col } = table;
  col.u8.push(seed & 0xff);
  col.u16.push(seed * 257);
  col.i32.push(1 - seed);
  col.flag.push(seed % 2 === 1);
  col.kind.push(enumCodes(COLUMNS.kind).last);
  col.lt.push(2n ** 64n - 1n - BigInt(seed));
  col.grams.push(2n ** 120n - BigInt(seed));
  col.hash.push(new Uint8Array(40).fill(seed), 8);
  col.text.push(new Uint8Array(seed * 5).fill(seed));
  col.maybe.push(seed % 3 === 0 ? null : seed);
  col.fee.push(seed % 2 === 0 ? null : BigInt(seed));
  const entries = Array.from({ length: seed % 3 }, (_, index) => [index, 2n ** 248n - BigInt(seed)] as const);
  col.extra.push(entries);
  table.endRow();
}

function expected(seed: number) {
  return {
    u8: seed,
    u16: seed * 257,
    i32: 1 - seed,
    flag: seed % 2 === 1,
    kind: 'last',
    lt: 2n ** 64n - 1n - BigInt(seed),
    grams: 2n ** 120n - BigInt(seed),
    hash: new Uint8Array(32).fill(seed),
    text: new Uint8Array(seed * 5).fill(seed),
    maybe: seed % 3 === 0 ? null : seed,
    fee: seed % 2 === 0 ? null : BigInt(seed),
    extra: Array.from({ length: seed % 3 }, (_, index) => [index, 2n ** 248n - BigInt(seed)]),
  };
}

/** Bytes of one column, for a table of that one column. */
function bytesOf<T extends string>(
  type: T,
  push: (builder: TableBuilder<{ readonly c: T }>['col']['c']) => void,
): string {
  const table = new TableBuilder('t', { c: type } as { readonly c: T });
  push(table.col.c);
  const column = table.columns[0];
  return (column?.parts() ?? []).map((part) => part.toHex()).join(' ');
}

describe('Native column bytes', () => {
  it('numbers are little endian', () => {
    expect(bytesOf('UInt16', (c) => c.push(0x1234))).toBe('3412');
    expect(bytesOf('Int32', (c) => c.push(-2))).toBe('feffffff');
    expect(bytesOf('Bool', (c) => c.push(true))).toBe('01');
    expect(bytesOf('UInt64', (c) => c.push(0x0102030405060708n))).toBe('0807060504030201');
    expect(bytesOf('UInt128', (c) => c.push(1n << 64n))).toBe('00000000000000000100000000000000');
    expect(bytesOf('UInt256', (c) => c.push((1n << 256n) - 2n))).toBe(`fe${'ff'.repeat(31)}`);
  });

  it('a string is its length as a varint, then its bytes', () => {
    expect(bytesOf('String', (c) => c.push(Uint8Array.of(7, 8)))).toBe('020708');
    expect(bytesOf('String', (c) => c.push(new Uint8Array(300)))).toBe(`ac02${'00'.repeat(300)}`);
    expect(bytesOf('String', (c) => c.push(new Uint8Array(0)))).toBe('00');
  });

  it('nullable: the map of nulls stands before the values', () => {
    const push = (c: { push(value: number | boolean | null): void }) => {
      c.push(5);
      c.push(null);
    };
    expect(bytesOf('Nullable(UInt32)', push)).toBe('0001 0500000000000000');
  });

  it('map: ends, keys, values', () => {
    const value = `${'03'.padEnd(64, '0')}${'04'.padEnd(64, '0')}`;
    const bytes = bytesOf('Map(UInt32, UInt256)', (c) => {
      c.push([
        [1, 3n],
        [2, 4n],
      ]);
      c.push([]);
    });
    expect(bytes).toBe(`02000000000000000200000000000000 0100000002000000 ${value}`);
  });
});

describe('TableBuilder', () => {
  it('reads back what was pushed, over many growths', () => {
    const table = new TableBuilder('t', COLUMNS);
    const seeds = Array.from({ length: 200 }, (_, seed) => seed);
    for (const seed of seeds) fill(table, seed);
    expect(readTable<typeof COLUMNS>(table)).toEqual(seeds.map(expected));
  });

  it('truncate and reset leave what a fresh table has', () => {
    const table = new TableBuilder('t', COLUMNS);
    for (let seed = 0; seed < 50; seed++) fill(table, seed);
    table.col.u8.push(1);
    table.col.text.push(new Uint8Array(3));
    table.truncate(20);
    for (let seed = 20; seed < 30; seed++) fill(table, seed);
    const fresh = new TableBuilder('t', COLUMNS);
    for (let seed = 0; seed < 30; seed++) fill(fresh, seed);
    const all = (of: typeof table) =>
      of.columns.flatMap((column) => column.parts().map((part) => part.toHex()));
    expect(all(table)).toEqual(all(fresh));
    table.reset();
    expect(table.rows).toBe(0);
    expect(all(table).join('')).toBe('');
    expect(() => table.truncate(1)).toThrow(RangeError);
  });

  it('refuses to end a row with a column missing or pushed twice', () => {
    const missing = new TableBuilder('t', { a: 'UInt8', b: 'UInt8' } as const);
    missing.col.a.push(1);
    expect(() => missing.endRow()).toThrow(RowError);
    missing.col.b.push(1);
    missing.col.b.push(1);
    expect(() => missing.endRow()).toThrow(/t\.b: 2 values at the end of row 1/);
  });

  it.each([
    ['UInt8', 256],
    ['UInt8', -1],
    ['Int8', 128],
    ['UInt16', 1.5],
    ['UInt32', Number.NaN],
    ["Enum8('a' = 0, 'b' = 1)", 2],
  ])('%s does not take %d', (type, value) => {
    const table = new TableBuilder('t', { c: type });
    const column = table.col.c as { push(value: number): void };
    expect(() => column.push(value)).toThrow(RangeError);
  });

  it('big numbers and hashes that do not fit are refused', () => {
    const table = new TableBuilder('t', { a: 'UInt64', b: 'UInt128', c: 'FixedString(32)' } as const);
    expect(() => table.col.a.push(1n << 64n)).toThrow(RangeError);
    expect(() => table.col.b.push(-1n)).toThrow(RangeError);
    expect(() => table.col.c.push(new Uint8Array(31))).toThrow(RangeError);
    expect(() => table.col.c.push(new Uint8Array(40), 9)).toThrow(RangeError);
  });
});

describe('column types', () => {
  it('codes and unknown types', () => {
    expect(enumCodes("Enum8('out' = 0, 'in' = 1)")).toEqual({ out: 0, in: 1 });
    expect(parseColumnType('FixedString(12)')).toEqual({ kind: 'fixed', width: 12 });
    for (const type of ['Int64', 'LowCardinality(String)', 'Enum8()', '']) {
      expect(() => parseColumnType(type)).toThrow(ColumnTypeError);
    }
  });

  it.each([
    ['UInt16', 'aabbcc'],
    ['String', '0501'],
    ['Nullable(UInt8)', '00'],
    ['UInt8', '0102'],
  ])('readColumn refuses %s bytes %s for one row', (type, hex) => {
    const column = { name: 'c', type, parts: () => [Uint8Array.fromHex(hex)] };
    expect(() => readColumn(column, 1)).toThrow(ColumnBytesError);
  });
});
