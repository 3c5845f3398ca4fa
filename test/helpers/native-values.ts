import type { NativeColumn, NativeTable } from '../../src/platform/clickhouse/native-format.ts';

/** A column of plain values, encoded value by value: slow and obvious, for tests. */
export type Value = number | bigint | string | boolean | null | Uint8Array | ReadonlyMap<number, bigint>;

const concat = (parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

function littleEndian(value: bigint, bytes: number): Uint8Array {
  const raw = BigInt.asUintN(bytes * 8, value);
  return Uint8Array.from({ length: bytes }, (_, i) => Number((raw >> BigInt(8 * i)) & 0xffn));
}

function leb128(value: number): Uint8Array {
  const out: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Uint8Array.from([...out, rest]);
    out.push((rest & 0x7f) | 0x80);
  }
}

function fixed(value: Value, bytes: number): Uint8Array {
  const data = value instanceof Uint8Array ? value : new TextEncoder().encode(String(value));
  if (data.length !== bytes) throw new Error(`FixedString(${bytes}) of ${data.length} bytes`);
  return data;
}

function string(value: Value): Uint8Array {
  const data = value instanceof Uint8Array ? value : new TextEncoder().encode(String(value));
  return concat([leb128(data.length), data]);
}

function maps(values: readonly Value[], key: string, item: string): Uint8Array {
  const all = values.map((value) => [...(value as ReadonlyMap<number, bigint>)]);
  let end = 0;
  const offsets = all.map((pairs) => {
    end += pairs.length;
    return littleEndian(BigInt(end), 8);
  });
  const pairs = all.flat();
  const keys = encodeValues(
    key,
    pairs.map(([k]) => k),
  );
  const items = encodeValues(
    item,
    pairs.map(([, v]) => v),
  );
  return concat([...offsets, keys, items]);
}

/** The data of a column in ClickHouse's Native format. */
export function encodeValues(type: string, values: readonly Value[]): Uint8Array {
  const nullable = /^Nullable\((.+)\)$/.exec(type)?.[1];
  if (nullable) {
    const nulls = Uint8Array.from(values, (value) => (value === null ? 1 : 0));
    return concat([
      nulls,
      encodeValues(
        nullable,
        values.map((value) => value ?? 0),
      ),
    ]);
  }
  const map = /^Map\((\w+), (\w+)\)$/.exec(type);
  if (map) return maps(values, map[1] as string, map[2] as string);
  const fixedSize = /^FixedString\((\d+)\)$/.exec(type)?.[1];
  if (fixedSize) return concat(values.map((value) => fixed(value, Number(fixedSize))));
  if (type === 'String') return concat(values.map(string));
  if (type === 'Bool' || type.startsWith('Enum8')) return Uint8Array.from(values, (value) => Number(value));
  const bits = /^U?Int(\d+)$/.exec(type)?.[1];
  if (!bits) throw new Error(`no encoding for ${type}`);
  return concat(values.map((value) => littleEndian(BigInt(value as number), Number(bits) / 8)));
}

export function nativeColumn(name: string, type: string, values: readonly Value[]): NativeColumn {
  const data = encodeValues(type, values);
  return { name, type, parts: () => [data] };
}

export function nativeTable(name: string, columns: readonly NativeColumn[], rows: number): NativeTable {
  return { name, rows, columns };
}
