import { type CurrencyEntries, type EnumName, enumCodes, parseColumnType } from './column-type.ts';
import { lengthsPlace, type Packed, packedPlaces } from './packed.ts';
import { RowBinary } from './row-binary.ts';

type BigName = 'UInt64' | 'UInt128' | 'UInt256';

/** A value of a column of fixed size, as read. Bytes are views. */
export type ReadValue<T extends string> = T extends `Nullable(${infer Inner})`
  ? ReadValue<Inner> | null
  : T extends `Enum8(${string})`
    ? EnumName<T>
    : T extends BigName
      ? bigint
      : T extends `FixedString(${string})`
        ? Buffer
        : T extends 'Bool'
          ? boolean
          : number;

type Types = Readonly<Record<string, string>>;
type ReadField<T extends string> = (row: RowBinary) => ReadValue<T>;

/** Values of different size of a payload. Bytes are views. */
export interface PackedTail<Name extends string> {
  readonly strings: Readonly<Record<Name, Buffer>>;
  /** The optional column; null if it equals the other one. */
  readonly optional: Buffer | null;
  /** By the order of the maps. */
  readonly maps: readonly CurrencyEntries[];
}

/** Reader of payloads. */
export interface PackedReader<T extends Types, Name extends keyof T & string> {
  /** Starts to read a payload. Throws what `refuse` returns for another layout. */
  open(payload: Buffer): RowBinary;
  /** Readers of the columns of fixed size, in any order. Each throws RangeError if the bytes end early. */
  readonly field: { readonly [K in Name]: ReadField<T[K]> };
  /** Reads what follows them. @throws RangeError if the bytes end early */
  tail(row: RowBinary): PackedTail<Name>;
}

/**
 * Builds the reader of a layout, once: each column has a function of its own for its type and place. `refuse`: the error
 * for a payload of another layout.
 */
export function packedReader<T extends Types, Name extends keyof T & string>(
  packed: Packed<Name>,
  types: T,
  refuse: (found: string) => Error,
): PackedReader<T, Name> {
  const places = Object.entries<number>(packedPlaces(packed, types));
  const fields = places.map(([name, place]) => [name, readerAt(types[name] as string, place)]);
  const end = lengthsPlace(packed, types);
  const { rows, layout } = packed;
  return {
    open: (payload) => {
      const row = new RowBinary(payload);
      const found = row.u8();
      if (found !== layout) throw refuse(`payload of ${rows} of layout ${found}, not ${layout}`);
      return row;
    },
    field: Object.fromEntries(fields),
    tail: (row) => readTail(row.to(end), packed),
  };
}

function readTail<Name extends string>(row: RowBinary, packed: Packed<Name>): PackedTail<Name> {
  const lengths = packed.strings.map(() => row.u32());
  const optional = packed.optional ? row.string() : null;
  const maps = (packed.maps ?? []).map(() => readCurrencies(row));
  const strings = {} as Record<Name, Buffer>;
  for (let i = 0; i < lengths.length; i++)
    strings[packed.strings[i] as Name] = row.exact(lengths[i] as number);
  return { strings, optional: optional && optional.length > 0 ? optional : null, maps };
}

function readCurrencies(row: RowBinary): CurrencyEntries {
  return Array.from({ length: row.length() }, () => [row.u32(), row.bigint(32)] as const);
}

function readerAt(type: string, place: number): (row: RowBinary) => unknown {
  const inner = /^Nullable\((.+)\)$/.exec(type)?.[1];
  if (inner) {
    const read = readerAt(inner, place + 1);
    return (row) => (row.to(place).u8() === 1 ? null : read(row));
  }
  if (type === 'Bool') return (row) => row.to(place).u8() !== 0;
  if (type.startsWith('Enum8(')) return enumReaderAt(type as `Enum8(${string})`, place);
  const parsed = parseColumnType(type);
  if (parsed.kind === 'number') return numberReaderAt(parsed.width, parsed.min < 0, place);
  if (parsed.kind === 'fixed') return (row) => row.to(place).exact(parsed.width);
  if (parsed.kind !== 'bigint') throw new RangeError(`${type} has no size of its own`);
  return parsed.width === 8 ? (row) => row.to(place).u64() : (row) => row.to(place).bigint(parsed.width);
}

function enumReaderAt(type: `Enum8(${string})`, place: number): (row: RowBinary) => unknown {
  const names: (string | undefined)[] = [];
  for (const [name, code] of Object.entries<number>(enumCodes(type))) names[code] = name;
  return (row) => names[row.to(place).i8()];
}

function numberReaderAt(width: 1 | 2 | 4, isSigned: boolean, place: number): (row: RowBinary) => number {
  if (width === 1) return isSigned ? (row) => row.to(place).i8() : (row) => row.to(place).u8();
  if (width === 2) return isSigned ? (row) => row.to(place).i16() : (row) => row.to(place).u16();
  return isSigned ? (row) => row.to(place).i32() : (row) => row.to(place).u32();
}
