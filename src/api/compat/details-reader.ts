import { ColumnTypeError, enumCodes, parseColumnType } from '../../tables/column-type.ts';
import { RowBinary } from '../../tables/row-binary.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { UnknownLayoutError } from '../query/unknown-layout.ts';

/** Values of the details, in the order of the version's columns. */
export type ReadDetails = (bytes: Buffer) => readonly unknown[];

type ReadValue = (row: RowBinary) => unknown;

/**
 * Reader of a row of RowBinary with these column types. Values are those of a query result: integers above 32 bits as
 * decimal text, bytes base64, enums by name, extra currencies as amounts by id.
 * @throws UnknownLayoutError if this release does not know a type
 */
export function detailsReader(types: readonly string[]): ReadDetails {
  const columns = types.map(knownReader);
  return (bytes) => {
    const row = new RowBinary(bytes);
    const values: unknown[] = [];
    for (let i = 0; i < columns.length; i++) values.push((columns[i] as ReadValue)(row));
    return values;
  };
}

function knownReader(type: string): ReadValue {
  try {
    return buildReader(type);
  } catch (error) {
    if (error instanceof ColumnTypeError) throw new UnknownLayoutError(error.message);
    throw error;
  }
}

function buildReader(type: string): ReadValue {
  const inner = /^Nullable\((.+)\)$/.exec(type)?.[1];
  if (inner) {
    const read = buildReader(inner);
    return (row) => (row.u8() === 1 ? null : read(row));
  }
  if (type === 'Bool') return (row) => row.u8() !== 0;
  if (type.startsWith('Enum8(')) return enumReader(type as `Enum8(${string})`);
  const parsed = parseColumnType(type);
  if (parsed.kind === 'number') return numberReader(parsed.width, parsed.min < 0);
  if (parsed.kind === 'bigint') return (row) => row.decimal(parsed.width);
  if (parsed.kind === 'map') return currencies;
  if (parsed.kind === 'fixed') return hashReader(parsed.width);
  return (row) => toBase64(row.string());
}

function enumReader(type: `Enum8(${string})`): ReadValue {
  const names = new Map(Object.entries(enumCodes(type)).map(([name, code]) => [code, name]));
  return (row) => names.get(row.i8());
}

function numberReader(width: 1 | 2 | 4, isSigned: boolean): ReadValue {
  if (width === 1) return isSigned ? (row) => row.i8() : (row) => row.u8();
  if (width === 2) return isSigned ? (row) => row.i16() : (row) => row.u16();
  return isSigned ? (row) => row.i32() : (row) => row.u32();
}

/** Most hashes of phases are zeros, which mean none. */
function hashReader(width: number): ReadValue {
  const none = Buffer.alloc(width);
  const noneText = toBase64(none);
  return (row) => {
    const bytes = row.fixed(width);
    return bytes[0] === 0 && bytes.equals(none) ? noneText : toBase64(bytes);
  };
}

/** Map(UInt32, UInt256). */
function currencies(row: RowBinary): Record<string, string> {
  const amounts: Record<string, string> = {};
  for (let left = row.length(); left > 0; left--) amounts[row.u32()] = row.decimal(32);
  return amounts;
}
