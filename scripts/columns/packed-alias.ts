import { parseColumnType } from '../../src/ton/columns/column-type.ts';

/* Aliases of values at fixed places of a column `payload`, counted from 1. */

/** The value of a type that has a size of its own. */
export function plainAlias(type: string, place: number): string {
  if (type === 'Bool') return `${bytes(place, 1)} = char(1)`;
  if (type.startsWith('Enum8(')) return `CAST(${number('Int8', place)} AS ${type})`;
  return type.startsWith('FixedString') ? fixed(place) : number(type, place);
}

/** Bytes as a String. */
export function bytes(place: number, size: number): string {
  return `substring(payload, ${place}, ${size})`;
}

/** A hash. */
export function fixed(place: number): string {
  return `toFixedString(${bytes(place, 32)}, 32)`;
}

/** A number, little endian. */
export function number(type: string, place: number): string {
  return `reinterpretAs${type}(${bytes(place, getWidth(type))})`;
}

/** Bytes of a value in RowBinary. @throws RangeError for a type of no size of its own */
export function getWidth(type: string): number {
  if (type === 'Bool' || type.startsWith('Enum8(') || type === 'Int8') return 1;
  const parsed = parseColumnType(type);
  if (!('width' in parsed)) throw new RangeError(`${type} has no size of its own`);
  return parsed.width;
}
