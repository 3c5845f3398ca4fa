import { parseColumnType } from './column-type.ts';

/**
 * Columns in one byte string of a row, its `payload`, because each further column of a short read costs as much as its
 * bytes. The payload is: the layout, one byte; a row of RowBinary; the values of `strings`. The row of RowBinary is
 *
 *   1. the columns `sized`, at places that follow from their types. A Nullable column is a byte, 1 for NULL, and a value
 *   2. the lengths of `strings`, u32 each
 *   3. the column `optional` as a string, empty if its condition is false
 *   4. the `maps`
 */
export interface Packed<Name extends string = string> {
  /** Name of its rows for messages. */
  readonly rows: string;
  readonly layout: number;
  readonly sized: readonly Name[];
  readonly strings: readonly Name[];
  readonly optional?: Optional<Name>;
  readonly maps?: readonly Name[];
}

/** A hash that equals another column unless the condition is true. */
interface Optional<Name extends string> {
  readonly column: Name;
  /** SQL. */
  readonly condition: string;
  readonly otherwise: Name;
}

/** Types by column. */
type Types = Readonly<Record<string, string>>;

/** Place of the first column in a payload, from 0. */
const FIRST = 1;
const LENGTH_WIDTH = 4;
const LENGTH = 'UInt32';

/**
 * The payload as an expression over columns, for views and for tables without a payload. `types` may lack columns that
 * are not Nullable. `given`: replacement of a column.
 */
export function packedSql(packed: Packed, types: Types = {}, given: Types = {}): string {
  const { layout, sized, strings, optional, maps = [] } = packed;
  const expression = (name: string) => given[name] ?? name;
  const fields = [
    ...sized.flatMap((name) => fieldSql(expression(name), types[name])),
    ...strings.map((name) => `toUInt32(length(${expression(name)}))`),
    ...(optional ? [`if(${optional.condition}, substring(${expression(optional.column)}, 1, 32), '')`] : []),
    ...maps.map(expression),
  ];
  return `concat(char(${layout}), formatRow('RowBinary', ${fields.join(', ')}), ${strings.map(expression).join(', ')})`;
}

function fieldSql(name: string, type = ''): string[] {
  const inner = innerType(type);
  return inner ? [`isNull(${name})`, `ifNull(${name}, to${inner}(0))`] : [name];
}

/** Starts of the columns `sized` in a payload, from 0. */
export function packedPlaces<Name extends string>(
  { sized }: Pick<Packed<Name>, 'sized'>,
  types: Types,
): Readonly<Record<Name, number>> {
  let place = FIRST;
  const places = sized.map((name) => {
    place += getWidth(types[name] as string);
    return [name, place - getWidth(types[name] as string)];
  });
  return Object.fromEntries(places) as Record<Name, number>;
}

/** Start of the lengths of the strings in a payload, from 0; the end of the columns `sized`. */
export function lengthsPlace({ sized }: Pick<Packed, 'sized'>, types: Types): number {
  return sized.reduce((place, name) => place + getWidth(types[name] as string), FIRST);
}

/** Start of the length of one string in a payload, from 0. */
export function lengthPlace(packed: Packed, types: Types, name: string): number {
  return lengthsPlace(packed, types) + packed.strings.indexOf(name) * LENGTH_WIDTH;
}

/** The column as an expression over `payload`. @throws RangeError if the payload does not have it at a known place */
export function packedAlias(packed: Packed, types: Types, name: string): string {
  const { sized, strings, optional } = packed;
  if (sized.includes(name))
    return valueAlias(types[name] as string, packedPlaces(packed, types)[name] as number);
  if (strings.includes(name)) return stringAlias(packed, types, name);
  if (optional?.column !== name) throw new RangeError(`no column ${name} in the payload of ${packed.rows}`);
  // The length of a hash is one byte.
  const place = lengthsPlace(packed, types) + strings.length * LENGTH_WIDTH + 1;
  return `if(${optional.condition}, ${valueAlias(types[name] as string, place)}, ${optional.otherwise})`;
}

/** After strings of known places if nothing else follows the lengths, else from the end. */
function stringAlias(packed: Packed, types: Types, name: string): string {
  const { strings, optional, maps = [] } = packed;
  const length = (one: string) => numberSql(LENGTH, lengthPlace(packed, types, one));
  const index = strings.indexOf(name);
  if (!optional && maps.length === 0) {
    const end = lengthsPlace(packed, types) + strings.length * LENGTH_WIDTH + 1;
    return `substring(payload, ${[end, ...strings.slice(0, index).map(length)].join(' + ')}, ${length(name)})`;
  }
  const after = strings.slice(index + 1);
  if (after.length === 0) return `right(payload, ${length(name)})`;
  const start = ['length(payload)', ...[...after].reverse().map(length), length(name)].join(' - ');
  return `substring(payload, ${start} + 1, ${length(name)})`;
}

/** A value at a place of `payload`, from 0. */
function valueAlias(type: string, place: number): string {
  const inner = innerType(type);
  if (inner) return `if(${isOne(place)}, NULL, ${valueAlias(inner, place + 1)})`;
  if (type === 'Bool') return isOne(place);
  if (type.startsWith('Enum8(')) return `CAST(${numberSql('Int8', place)} AS ${type})`;
  if (!type.startsWith('FixedString')) return numberSql(type, place);
  return `toFixedString(${bytesSql(place, getWidth(type))}, ${getWidth(type)})`;
}

function isOne(place: number): string {
  return `${bytesSql(place, 1)} = char(1)`;
}

function numberSql(type: string, place: number): string {
  return `reinterpretAs${type}(${bytesSql(place, getWidth(type))})`;
}

/** Places of SQL count from 1. */
function bytesSql(place: number, size: number): string {
  return `substring(payload, ${place + 1}, ${size})`;
}

/** The type that may be NULL; null if this one may not. */
function innerType(type: string): string | null {
  return /^Nullable\((.+)\)$/.exec(type)?.[1] ?? null;
}

/** Bytes of a value in a payload. @throws RangeError if they do not follow from the type */
export function getWidth(type: string): number {
  const parsed = parseColumnType(type);
  if (parsed.kind === 'nullable') return 1 + getWidth(innerType(type) as string);
  if (!('width' in parsed)) throw new RangeError(`${type} has no size of its own`);
  return parsed.width;
}
