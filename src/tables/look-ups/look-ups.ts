/* Keys by which a serving process finds rows in its look-up index (src/lookup). */
import { parseColumnType } from '../column-type.ts';
import { packedSql } from '../packed.ts';
import type { KeyPart, LookUp, Target } from '../target.ts';

/** A look-up of a table. */
export interface TableLookUp {
  readonly table: Pick<Target, 'name' | 'columns'>;
  readonly lookUp: LookUp;
}

/** Value of a key's column: bytes of a FixedString, a number up to 32 bits, or a wider one. */
export type KeyValue = Uint8Array | number | bigint;

/** The look-up of a table by its name. @throws RangeError if the table has none of that name */
export function getLookUp(table: Target, name: string): TableLookUp {
  const lookUp = table.lookUps?.find((one) => one.name === name);
  if (!lookUp) throw new RangeError(`${table.name} has no look-up ${name}`);
  return { table, lookUp };
}

/** Columns by table of a version; null: as this release has them. */
type VersionTables = Readonly<Record<string, Readonly<Record<string, string>>>> | null;

/** All look-ups of some tables. `served`: leaves out those whose keys or payload a version does not have. */
export function allLookUps(tables: readonly Target[], served: VersionTables = null): TableLookUp[] {
  const has = (table: string, column: string) => served === null || column in (served[table] ?? {});
  return tables.flatMap((table) =>
    (table.lookUps ?? [])
      .filter((lookUp) => neededColumns(lookUp).every((column) => has(table.name, column)))
      .map((lookUp) => ({ table, lookUp })),
  );
}

/** Columns without which there is no look-up. */
function neededColumns({ key, value }: LookUp): readonly string[] {
  const payload = 'layout' in value ? allColumns({ value }) : [];
  return [...key.map((part) => readPart(part).name), ...payload];
}

/** Columns of the value. */
function allColumns({ value }: Pick<LookUp, 'value'>): readonly string[] {
  return 'layout' in value ? [...value.sized, ...value.strings] : value;
}

/**
 * Builds keys from the values of the key's columns, in order. Fewer values make the common beginning of several keys.
 * Integers are big endian, so that keys sort as unsigned numbers do.
 */
export function keyBuilder({ table, lookUp }: TableLookUp): (...values: readonly KeyValue[]) => Buffer {
  const parts = lookUp.key.map((part): Part => {
    const { name, isFalling } = readPart(part);
    return { width: getWidth(table, name), isFalling };
  });
  return (...values) => {
    const used = parts.slice(0, values.length);
    const key = Buffer.alloc(used.reduce((sum, { width }) => sum + width, 0));
    let at = 0;
    used.forEach((part, i) => {
      const value = values[i] as KeyValue;
      if (value instanceof Uint8Array) key.set(value, at);
      else putInteger(key, at + part.width, part, value);
      at += part.width;
    });
    return key;
  };
}

/** Expression of the same key in SQL. */
export function keySql({ table, lookUp }: TableLookUp): string {
  const parts = lookUp.key.map((part) => {
    const { name, isFalling } = readPart(part);
    if (parseColumnType(getType(table, name)).kind === 'fixed') return name;
    return `reverse(reinterpretAsFixedString(${isFalling ? `bitNot(${name})` : name}))`;
  });
  // With the empty text the result is a String, which keeps zeros at its end.
  return `concat(${[...parts, "''"].join(', ')})`;
}

/** Columns of the value that a version's table has. `served`: types by column; absent: this release's. */
export function valueColumns(
  lookUp: Pick<LookUp, 'value'>,
  served?: Readonly<Record<string, string>>,
): readonly string[] {
  const columns = allColumns(lookUp);
  return served ? columns.filter((name) => name in served) : columns;
}

/** Expression of the value in SQL; null for none. `served`: as in `valueColumns`. */
export function valueSql(
  { value }: Pick<LookUp, 'value'>,
  served?: Readonly<Record<string, string>>,
): string | null {
  if ('layout' in value) return packedSql(value);
  const columns = valueColumns({ value }, served);
  return columns.length === 0 ? null : `formatRow('RowBinary', ${columns.join(', ')})`;
}

function readPart(part: KeyPart): { readonly name: string; readonly isFalling: boolean } {
  return typeof part === 'string'
    ? { name: part, isFalling: false }
    : { name: part.falling, isFalling: true };
}

/** A part of a key. */
interface Part {
  /** Bytes. */
  readonly width: number;
  readonly isFalling: boolean;
}

/** Writes an integer, big endian and unsigned, so that it ends before a place. */
function putInteger(key: Buffer, end: number, { width, isFalling }: Part, value: number | bigint): void {
  if (width <= 4) {
    let bits = isFalling ? ~Number(value) : Number(value);
    for (let at = end - 1; at >= end - width; at--, bits >>= 8) key[at] = bits & 0xff;
    return;
  }
  let bits = isFalling ? ~BigInt(value) : BigInt(value);
  for (let at = end - 1; at >= end - width; at--, bits >>= 8n) key[at] = Number(bits & 0xffn);
}

function getType({ name: table, columns }: TableLookUp['table'], name: string): string {
  const type = columns.find((column) => column.name === name)?.type;
  if (type === undefined) throw new RangeError(`${table} has no column ${name}`);
  return type;
}

function getWidth(table: TableLookUp['table'], name: string): number {
  const type = parseColumnType(getType(table, name));
  if ('width' in type) return type.width;
  throw new RangeError(`${table.name}.${name}: a column of fixed width expected in a key`);
}
