/**
 * ClickHouse type names as the tables use them, parsed once, and the TypeScript types that follow from them.
 */

/** A number on the TypeScript side: up to 32 bits, Bool and Enum8 (as its code). */
export interface NumberType {
  readonly kind: 'number';
  readonly width: 1 | 2 | 4;
  readonly min: number;
  readonly max: number;
}

/** A bigint on the TypeScript side: UInt64, UInt128, UInt256; `width` in bytes. */
export interface BigUintType {
  readonly kind: 'bigint';
  readonly width: 8 | 16 | 32;
}

export interface FixedStringType {
  readonly kind: 'fixed';
  readonly width: number;
}

export interface StringType {
  readonly kind: 'string';
}

export interface NullableType {
  readonly kind: 'nullable';
  readonly inner: ColumnType;
}

/** Map(UInt32, UInt256), the only map of the tables. */
export interface CurrencyMapType {
  readonly kind: 'map';
}

export type ColumnType =
  | NumberType
  | BigUintType
  | FixedStringType
  | StringType
  | NullableType
  | CurrencyMapType;

type NumberName = 'UInt8' | 'UInt16' | 'UInt32' | 'Int8' | 'Int16' | 'Int32' | 'Bool' | `Enum8(${string})`;
type BigName = 'UInt64' | 'UInt128' | 'UInt256';

/** Argument of `push` for a column of type `T`. */
export type PushedValue<T extends string> = T extends `Nullable(${infer Inner})`
  ? PushedValue<Inner> | null
  : T extends `Map(${string})`
    ? CurrencyEntries
    : T extends BigName
      ? bigint
      : T extends 'String' | `FixedString(${string})`
        ? Uint8Array
        : T extends NumberName
          ? number | boolean
          : never;

/** Entries of an extra currency map: id, amount; in ascending order of id. */
export type CurrencyEntries = readonly (readonly [id: number, amount: bigint])[];

type EnumItems<Body extends string> = Body extends `'${infer Name}' = ${infer Rest}`
  ? Name | (Rest extends `${string}, ${infer More}` ? EnumItems<More> : never)
  : never;

/** The names of an Enum8 type string. */
export type EnumName<T extends string> = T extends `Enum8(${infer Body})` ? EnumItems<Body> : never;

/** A table: column name → ClickHouse type name. */
export type TableColumns = Readonly<Record<string, string>>;

/** A type name that the builders do not know: a mistake in the table description. */
export class ColumnTypeError extends Error {
  override readonly name = 'ColumnTypeError';

  constructor(type: string) {
    super(`no column type for ${JSON.stringify(type)}`);
  }
}

const number = (width: 1 | 2 | 4, min: number, max: number): NumberType => ({
  kind: 'number',
  width,
  min,
  max,
});

const PLAIN: Readonly<Record<string, ColumnType>> = {
  UInt8: number(1, 0, 0xff),
  UInt16: number(2, 0, 0xffff),
  UInt32: number(4, 0, 0xffffffff),
  Int8: number(1, -0x80, 0x7f),
  Int16: number(2, -0x8000, 0x7fff),
  Int32: number(4, -0x80000000, 0x7fffffff),
  Bool: number(1, 0, 1),
  UInt64: { kind: 'bigint', width: 8 },
  UInt128: { kind: 'bigint', width: 16 },
  UInt256: { kind: 'bigint', width: 32 },
  String: { kind: 'string' },
  'Map(UInt32, UInt256)': { kind: 'map' },
};

/** Parses a type name; throws ColumnTypeError for one that the tables have no use for. */
export function parseColumnType(type: string): ColumnType {
  const plain = PLAIN[type];
  if (plain) return plain;
  const fixed = /^FixedString\((\d+)\)$/.exec(type);
  if (fixed) return { kind: 'fixed', width: Number(fixed[1]) };
  const nullable = /^Nullable\((.+)\)$/.exec(type);
  if (nullable) return { kind: 'nullable', inner: parseColumnType(nullable[1] as string) };
  if (type.startsWith('Enum8(')) {
    const codes = Object.values(enumTable(type));
    return number(1, Math.min(...codes), Math.max(...codes));
  }
  throw new ColumnTypeError(type);
}

/** Name → code of an Enum8 type string, e.g. `enumCodes("Enum8('a' = 0, 'b' = 1)")` is `{a: 0, b: 1}`. */
export function enumCodes<T extends `Enum8(${string})`>(type: T): Readonly<Record<EnumName<T>, number>> {
  return enumTable(type) as Record<EnumName<T>, number>;
}

/** The names of an Enum8 type string in the order of their codes. */
export function enumNames<T extends `Enum8(${string})`>(type: T): readonly EnumName<T>[] {
  const codes = Object.entries<number>(enumTable(type)).sort(([, a], [, b]) => a - b);
  return codes.map(([name]) => name as EnumName<T>);
}

function enumTable(type: string): Record<string, number> {
  const items = [...type.matchAll(/'([^']*)' = (-?\d+)/g)];
  if (items.length === 0) throw new ColumnTypeError(type);
  return Object.fromEntries(items.map((item) => [item[1], Number(item[2])]));
}
