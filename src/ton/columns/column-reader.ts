import {
  type ColumnType,
  type CurrencyEntries,
  type NumberType,
  parseColumnType,
  type TableColumns,
} from '../../tables/column-type.ts';
import type { NativeColumn, NativeTable } from './native-column.ts';

/** Value of a column of ClickHouse type `T` when read: enums by name, Bool as boolean. */
export type ReadValue<T extends string> = T extends `Nullable(${infer Inner})`
  ? ReadValue<Inner> | null
  : T extends `Map(${string})`
    ? CurrencyEntries
    : T extends 'UInt64' | 'UInt128' | 'UInt256'
      ? bigint
      : T extends 'String' | `FixedString(${string})`
        ? Uint8Array
        : T extends 'Bool'
          ? boolean
          : T extends `Enum8(${string})`
            ? string
            : number;

/** A row of a table, read back. */
export type ReadRow<T extends TableColumns> = { readonly [K in keyof T]: ReadValue<T[K]> };

type AnyValue = number | bigint | boolean | string | Uint8Array | CurrencyEntries | null;

/** Bytes of a column that do not fill its rows exactly. */
export class ColumnBytesError extends Error {
  override readonly name = 'ColumnBytesError';

  constructor(column: string, expected: number, found: number) {
    super(`${column}: ${expected} bytes expected, ${found} found`);
  }
}

/**
 * Reads the Native bytes of one column. Throws ColumnBytesError where bytes are missing or left over.
 * Byte values are views into a joined copy, never into the builder.
 */
export function readColumn<T extends string>(
  column: NativeColumn & { type: T },
  rows: number,
): ReadValue<T>[] {
  const bytes = join(column.parts());
  const cursor: Cursor = {
    name: column.name,
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    at: 0,
  };
  const values = readValues(cursor, parseColumnType(column.type), column.type, rows);
  if (cursor.at !== bytes.length) throw new ColumnBytesError(column.name, cursor.at, bytes.length);
  return values as ReadValue<T>[];
}

/** Reads a whole table back as rows. The type parameter is the table's description. */
export function readTable<T extends TableColumns>(table: NativeTable): ReadRow<T>[] {
  const rows: Record<string, AnyValue>[] = Array.from({ length: table.rows }, () => ({}));
  for (const column of table.columns) {
    const values: AnyValue[] = readColumn(column, table.rows);
    for (const [index, row] of rows.entries()) row[column.name] = values[index] as AnyValue;
  }
  return rows as unknown as ReadRow<T>[];
}

interface Cursor {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at: number;
}

function join(parts: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Counts `size` bytes as read and returns their start. */
function take(cursor: Cursor, size: number): number {
  const at = cursor.at;
  if (at + size > cursor.bytes.length)
    throw new ColumnBytesError(cursor.name, at + size, cursor.bytes.length);
  cursor.at = at + size;
  return at;
}

function readValues(cursor: Cursor, type: ColumnType, typeName: string, rows: number): AnyValue[] {
  switch (type.kind) {
    case 'number':
      return readNumbers(cursor, type, typeName, rows);
    case 'bigint':
      return Array.from({ length: rows }, () => readBigUint(cursor, type.width));
    case 'fixed':
      return Array.from({ length: rows }, () => {
        const at = take(cursor, type.width);
        return cursor.bytes.subarray(at, at + type.width);
      });
    case 'string':
      return Array.from({ length: rows }, () => readString(cursor));
    case 'map':
      return readMaps(cursor, rows);
    case 'nullable': {
      const nulls = take(cursor, rows);
      const values = readValues(cursor, type.inner, typeName.slice('Nullable('.length, -1), rows);
      return values.map((value, row) => (cursor.bytes[nulls + row] === 1 ? null : value));
    }
  }
}

function readNumbers(cursor: Cursor, { width, min }: NumberType, typeName: string, rows: number): AnyValue[] {
  const names = typeName.startsWith('Enum8(') ? enumNames(typeName) : null;
  return Array.from({ length: rows }, () => {
    const at = take(cursor, width);
    const value = readNumber(cursor.view, at, width, min < 0);
    if (typeName === 'Bool') return value === 1;
    return names ? (names.get(value) as string) : value;
  });
}

function readNumber(view: DataView, at: number, width: number, signed: boolean): number {
  if (width === 1) return signed ? view.getInt8(at) : view.getUint8(at);
  if (width === 2) return signed ? view.getInt16(at, true) : view.getUint16(at, true);
  return signed ? view.getInt32(at, true) : view.getUint32(at, true);
}

function enumNames(typeName: string): Map<number, string> {
  const items = typeName.matchAll(/'([^']*)' = (-?\d+)/g);
  return new Map([...items].map((item) => [Number(item[2]), item[1] as string]));
}

function readBigUint(cursor: Cursor, width: number): bigint {
  const at = take(cursor, width);
  let value = 0n;
  for (let offset = width - 8; offset >= 0; offset -= 8) {
    value = (value << 64n) | cursor.view.getBigUint64(at + offset, true);
  }
  return value;
}

function readString(cursor: Cursor): Uint8Array {
  let length = 0;
  let scale = 1;
  for (;;) {
    const byte = cursor.bytes[take(cursor, 1)] as number;
    length += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (byte < 0x80) break;
  }
  const at = take(cursor, length);
  return cursor.bytes.subarray(at, at + length);
}

function readMaps(cursor: Cursor, rows: number): CurrencyEntries[] {
  const ends = Array.from({ length: rows }, () => Number(cursor.view.getBigUint64(take(cursor, 8), true)));
  const total = ends.at(-1) ?? 0;
  const keys = Array.from({ length: total }, () => cursor.view.getUint32(take(cursor, 4), true));
  const values = Array.from({ length: total }, () => readBigUint(cursor, 32));
  return ends.map((end, row) => {
    const start = row === 0 ? 0 : (ends[row - 1] as number);
    return keys.slice(start, end).map((id, index) => [id, values[start + index] as bigint] as const);
  });
}
